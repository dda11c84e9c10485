#include "storage_rocksdb/pending_rows.h"

#include "foundation/random.h"
#include "storage_rocksdb/block.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::storage_rocksdb {
namespace {

std::string row(std::string_view partition, std::string_view rest, std::string_view value) {
    std::string rows;
    append_row(
        {.table = 1,
         .erase = value.empty(),
         .partition_length = static_cast<std::uint32_t>(partition.size()),
         .key = std::string{partition} + std::string{rest},
         .value = value},
        rows
    );
    return rows;
}

std::vector<std::string> values(PendingCursor cursor) {
    std::vector<std::string> values;
    for (; cursor.row() != nullptr; cursor.next()) {
        values.emplace_back(cursor.row()->value());
    }
    return values;
}

using Values = std::vector<std::string>;

TEST(PendingRows, a_range_has_the_latest_of_each_key_in_order) {
    PendingRows pending{{}};
    ASSERT_TRUE(pending.append(1, row("p", "b", "old") + row("p", "a", "1")));
    pending.seal();
    ASSERT_TRUE(pending.append(2, row("p", "b", "new") + row("q", "a", "other")));
    ASSERT_TRUE(pending.append(3, row("p", "c", "3") + row("p", "c", "4")));
    const PendingPartition partition = pending.partition(1, "p");
    EXPECT_EQ(values(partition.range("p", "q")), (Values{"1", "new", "4"}));
    EXPECT_EQ(values(partition.range("pb", "pc")), Values{"new"});
    EXPECT_EQ(values(partition.range("pb", "")), (Values{"new", "4"}));
    EXPECT_EQ(partition.find("pb")->value(), "new");
    EXPECT_EQ(partition.find("pd"), nullptr);
    EXPECT_EQ(pending.partition(2, "p").find("pb"), nullptr) << "another table";
    EXPECT_EQ(pending.rows(), 6U);
}

TEST(PendingRows, an_erased_row_hides_the_one_before_it) {
    PendingRows pending{{}};
    ASSERT_TRUE(pending.append(1, row("p", "a", "1")));
    pending.seal();
    ASSERT_TRUE(pending.append(2, row("p", "a", "")));
    EXPECT_TRUE(pending.partition(1, "p").find("pa")->erase());
}

TEST(PendingRows, what_was_pinned_stays_when_its_generation_is_dropped) {
    PendingRows pending{{}};
    ASSERT_TRUE(pending.append(1, row("p", "a", "1")));
    pending.seal();
    const PendingPartition partition = pending.partition(1, "p");
    const std::uint64_t before = pending.moment();
    pending.begin_ingest();
    const std::uint64_t ingesting = pending.moment();
    EXPECT_NE(ingesting, before) << "files of before lack what moves into them";
    pending.drop_oldest();
    EXPECT_NE(pending.moment(), ingesting) << "files of before lack what left memory";
    EXPECT_EQ(partition.find("pa")->value(), "1");
    EXPECT_EQ(pending.partition(1, "p").find("pa"), nullptr);
    EXPECT_EQ(pending.rows(), 0U);
}

TEST(PendingRows, a_generation_is_sealed_when_it_is_large_enough) {
    PendingRows pending{{.bytes = 10'000, .generation_bytes = 1000}};
    for (std::uint64_t block = 1; pending.fill() < 0.25; ++block) {
        ASSERT_TRUE(pending.append(block, row("p", std::to_string(block), "value")));
    }
    const std::stop_source stop;
    const auto oldest = pending.wait_for_sealed(stop.get_token());
    ASSERT_NE(oldest, nullptr);
    EXPECT_GE(oldest->bytes(), 1000U);
    EXPECT_LT(oldest->bytes(), 1200U);
}

TEST(PendingRows, a_damaged_block_is_refused_as_a_whole) {
    PendingRows pending{{}};
    std::string rows = row("p", "a", "1") + row("p", "b", "2");
    rows.pop_back();
    EXPECT_EQ(pending.append(1, rows).error().kind, ErrorKind::corrupt);
    EXPECT_EQ(pending.partition(1, "p").find("pa"), nullptr);
}

/// Random rows against a map, looked at while generations are sealed and dropped: long partitions,
/// whose order is kept, and short ones.
TEST(PendingRows, answers_like_a_map_whatever_is_written) {
    Random random{5};
    PendingRows pending{{}};
    pending.find_by_key({1});
    std::map<std::string, std::string> all;  // what a reader must see
    std::vector<std::map<std::string, std::string>> generations(1);
    for (std::uint64_t block = 1; block < 4000; ++block) {
        std::string rows;
        for (std::uint64_t left = random.below(6); left > 0; --left) {
            const std::string partition = random.below(8) == 0 ? "short" : "long-";
            const std::string rest = std::to_string(random.below(3000));
            rows += row(partition, rest, std::to_string(block));
            generations.back()[partition + rest] = std::to_string(block);
        }
        ASSERT_TRUE(pending.append(block, std::move(rows)));
        if (random.below(900) == 0 && pending.rows() > 0) {
            pending.seal();
            generations.emplace_back();
        }
        if (random.below(1500) == 0 && generations.size() > 1) {
            pending.begin_ingest();
            pending.drop_oldest();
            generations.erase(generations.begin());
        }
        if (random.below(50) != 0) {
            continue;
        }
        std::map<std::string, std::string> wanted;
        for (const auto& generation : generations) {
            for (const auto& [key, value] : generation) {
                wanted[key] = value;
            }
        }
        Values expected;
        for (auto at = wanted.lower_bound("long-2"); at != wanted.lower_bound("long."); ++at) {
            expected.push_back(at->second);
        }
        const PendingPartition partition = pending.partition(1, "long-");
        ASSERT_EQ(values(partition.range("long-2", "long.")), expected) << block;
        const std::string key = "long-" + std::to_string(random.below(3000));
        const PendingRow* const found = partition.find(key);
        ASSERT_EQ(found != nullptr, wanted.contains(key)) << key;
        const PinnedRow by_key = pending.row(1, key);
        ASSERT_EQ(by_key.row, found) << key;
        if (found != nullptr) {
            ASSERT_EQ(found->value(), wanted[key]);
        }
    }
}

}  // namespace
}  // namespace footfall::storage_rocksdb
