#include "storage/key_codec.h"
#include "storage/key_order.h"
#include "storage_testing/contract_tables.h"
#include "storage_testing/random_rows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace footfall::storage {
namespace {

std::string encoded(const Table& table, const Row& key) {
    std::string bytes;
    append_key(table, views_of(key), bytes);
    return bytes;
}

std::strong_ordering sign(int comparison) {
    return comparison <=> 0;
}

/// One table for each column type and direction, and one of all of them.
std::vector<Table> tables_to_try() {
    std::vector<Table> tables;
    Table wide{
        .name = "wide",
        .purpose = "",
        .partition = {{"p", ColumnType::text}, {"q", ColumnType::integer}},
        .clustering = {},
        .values = {}
    };
    for (const ColumnType type :
         {ColumnType::text,
          ColumnType::bytes,
          ColumnType::integer,
          ColumnType::day,
          ColumnType::timestamp}) {
        for (const Order order : {Order::ascending, Order::descending}) {
            tables.push_back(
                {.name = "narrow",
                 .purpose = "",
                 .partition = {{"p", ColumnType::integer}},
                 .clustering = {{"c", type, order}},
                 .values = {}}
            );
            wide.clustering.push_back({"c", type, order});
        }
    }
    tables.push_back(std::move(wide));
    return tables;
}

class KeyCodecProperty : public testing::Test {
protected:
    /// A key that often shares its first columns with `other`.
    Row key_near(const Table& table, const Row& other) {
        Row key = rows_.key(table);
        const auto kept = static_cast<std::ptrdiff_t>(random_.below(table.key_width() + 1));
        std::copy_n(other.begin(), kept, key.begin());
        return key;
    }

    std::uint64_t seed_ = test_seed();
    testing::ScopedTrace trace_{
        __FILE__, __LINE__, fmt::format("to play it again: FOOTFALL_SEED={}", seed_)
    };
    Random random_{seed_};
    RandomRows rows_{random_};
};

TEST_F(KeyCodecProperty, bytes_stand_in_the_order_of_the_values) {
    for (const Table& table : tables_to_try()) {
        for (int count = 0; count < 4000 && !HasFailure(); ++count) {
            const Row left = rows_.key(table);
            const Row right = key_near(table, left);
            ASSERT_EQ(
                sign(encoded(table, left).compare(encoded(table, right))),
                compare_keys(table, left, right)
            ) << testing::PrintToString(left)
              << " and " << testing::PrintToString(right);
        }
    }
}

TEST_F(KeyCodecProperty, keys_come_back_as_they_were) {
    std::vector<ValueView> values;
    std::string texts;
    for (const Table& table : tables_to_try()) {
        for (int count = 0; count < 2000 && !HasFailure(); ++count) {
            const Row key = rows_.key(table);
            const std::string bytes = encoded(table, key);
            ASSERT_TRUE(decode_key(table, bytes, values, texts));
            ASSERT_EQ(owned_values(values), key);
            const Row partition(
                key.begin(), key.begin() + static_cast<std::ptrdiff_t>(table.partition.size())
            );
            ASSERT_EQ(partition_length(table, bytes), encoded(table, partition).size());
        }
    }
}

// What the range reads rest on: the keys that start with these columns are exactly the bytes from
// their encoding up to end_of_prefix of it.
TEST_F(KeyCodecProperty, a_prefix_of_columns_encloses_its_rows_and_no_others) {
    for (const Table& table : tables_to_try()) {
        for (int count = 0; count < 2000 && !HasFailure(); ++count) {
            const Row key = rows_.key(table);
            const Row other = key_near(table, key);
            const auto width = static_cast<std::ptrdiff_t>(random_.below(table.key_width()) + 1);
            const Row prefix(key.begin(), key.begin() + width);
            const std::string start = encoded(table, prefix);
            const std::string end = end_of_prefix(start);
            const std::string bytes = encoded(table, other);
            const bool inside = bytes >= start && (end.empty() || bytes < end);
            ASSERT_EQ(inside, compare_keys(table, prefix, other) == 0)
                << testing::PrintToString(prefix) << " and " << testing::PrintToString(other);
            ASSERT_EQ(inside, bytes.starts_with(start));
        }
    }
}

TEST_F(KeyCodecProperty, clustering_columns_encode_as_in_the_whole_key) {
    const Table table = tables_to_try().back();
    for (int count = 0; count < 1000 && !HasFailure(); ++count) {
        const Row key = rows_.key(table);
        std::string joined = encoded(table, Row(key.begin(), key.begin() + 2));
        append_clustering(table, views_of(std::span{key}.subspan(2)), joined);
        ASSERT_EQ(joined, encoded(table, key));
    }
}

// Changed and cut keys, and plain noise: either it is refused, or it is the one encoding of what
// was decoded.
TEST_F(KeyCodecProperty, whatever_decodes_is_the_only_encoding_of_its_values) {
    std::vector<ValueView> values;
    std::string texts;
    int accepted = 0;
    for (const Table& table : tables_to_try()) {
        for (int count = 0; count < 4000 && !HasFailure(); ++count) {
            std::string bytes = encoded(table, rows_.key(table));
            for (std::uint64_t change = random_.below(4); change > 0 && !bytes.empty(); --change) {
                bytes[random_.below(bytes.size())] = static_cast<char>(random_());
            }
            bytes.resize(random_.below(4) == 0 ? random_.below(bytes.size() + 1) : bytes.size());
            if (!decode_key(table, bytes, values, texts)) {
                continue;
            }
            ++accepted;
            ASSERT_EQ(encoded(table, owned_values(values)), bytes);
            ASSERT_TRUE(partition_length(table, bytes));
        }
    }
    EXPECT_GT(accepted, 1000);
}

TEST_F(KeyCodecProperty, row_values_come_back_as_they_were) {
    std::vector<ValueView> values;
    for (const Table* table : contract_tables()) {
        for (int count = 0; count < 2000 && !HasFailure(); ++count) {
            const Row row = rows_.values(*table);
            std::string bytes;
            append_row_values(*table, views_of(row), bytes);
            values.clear();
            ASSERT_TRUE(decode_row_values(*table, bytes, values));
            ASSERT_EQ(owned_values(values), row);
            const auto expires = decode_expires(*table, bytes);
            ASSERT_TRUE(expires);
            ASSERT_EQ(
                *expires,
                table->expires.empty()
                    ? 0
                    : values[table->expires_index() - table->key_width()].number()
            );
        }
    }
}

TEST_F(KeyCodecProperty, broken_row_values_are_refused_or_read_but_never_more) {
    std::vector<ValueView> values;
    for (const Table* table : contract_tables()) {
        for (int count = 0; count < 2000 && !HasFailure(); ++count) {
            std::string bytes;
            append_row_values(*table, views_of(rows_.values(*table)), bytes);
            for (std::uint64_t change = random_.below(3); change > 0; --change) {
                bytes[random_.below(bytes.size())] = static_cast<char>(random_());
            }
            bytes.resize(random_.below(bytes.size() + 1));
            values.clear();
            const auto expires = decode_expires(*table, bytes);
            if (decode_row_values(*table, bytes, values)) {
                ASSERT_EQ(values.size(), table->values.size());
                ASSERT_TRUE(expires);
            }
        }
    }
}

}  // namespace
}  // namespace footfall::storage
