#include "storage_rocksdb/bulk_sort.h"

#include "foundation/random.h"
#include "storage_rocksdb/block.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace footfall::storage_rocksdb {
namespace {

/// Rows with these keys, in a generation; the value tells the place.
void fill(Generation& generation, const std::vector<std::string>& keys) {
    std::string rows;
    for (std::size_t at = 0; at < keys.size(); ++at) {
        append_row({.table = 1, .key = keys[at], .value = std::to_string(at)}, rows);
    }
    ASSERT_TRUE(generation.append(1, std::move(rows)));
}

void expect_sorted(const std::vector<std::string>& keys) {
    Generation generation{{}};
    fill(generation, keys);
    std::map<std::string, std::string> wanted;
    for (std::size_t at = 0; at < keys.size(); ++at) {
        wanted[keys[at]] = std::to_string(at);
    }
    SortedRows rows;
    generation.for_each_row([&](const PendingRow& row) { rows.push_back(&row); });
    sort_by_key(rows);
    ASSERT_EQ(rows.size(), wanted.size());
    auto expected = wanted.begin();
    for (const PendingRow* row : rows) {
        EXPECT_EQ(row->key(), expected->first);
        EXPECT_EQ(row->value(), expected->second) << "not the latest of " << row->key();
        ++expected;
    }
}

std::vector<std::string> many(std::string (*make)(Random&)) {
    Random random{11};
    std::vector<std::string> keys(3000);
    for (std::string& key : keys) {
        key = make(random);
    }
    return keys;
}

TEST(BulkSort, nothing_and_one) {
    SortedRows none;
    sort_by_key(none);
    EXPECT_TRUE(none.empty());
    expect_sorted({"a"});
}

TEST(BulkSort, keys_that_share_long_beginnings) {
    expect_sorted(many([](Random& random) {
        return "counter/object-" + std::to_string(random.below(30)) + "/" +
               std::to_string(random.below(1000));
    }));
}

TEST(BulkSort, one_key_again_and_again) {
    expect_sorted(std::vector<std::string>(1000, "the same"));
    expect_sorted(many([](Random& random) { return std::string(random.below(3), 'x'); }));
}

// Zero bytes look like the end of a key to whoever compares eight bytes at once.
TEST(BulkSort, keys_of_zeros_of_all_lengths) {
    expect_sorted(many([](Random& random) {
        std::string key(random.below(25), '\0');
        if (random.below(3) == 0) {
            key += static_cast<char>(random.below(2));
        }
        return key;
    }));
}

TEST(BulkSort, any_bytes) {
    expect_sorted(many([](Random& random) {
        std::string key;
        for (std::uint64_t left = random.below(12); left > 0; --left) {
            key += static_cast<char>(random.below(4) * 85);
        }
        return key;
    }));
}

}  // namespace
}  // namespace footfall::storage_rocksdb
