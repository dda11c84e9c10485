#include "storage_rocksdb/block.h"

#include "foundation_testing/repository.h"
#include "storage/key_codec.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace footfall::storage_rocksdb {
namespace {

using storage::Batch;
using storage::ColumnType;
using storage::Table;

const Table bulk{
    .name = "bulk",
    .purpose = "",
    .partition = {{"object", ColumnType::text}},
    .clustering = {{"token", ColumnType::bytes}},
    .values = {{"expires", ColumnType::timestamp}},
    .bulk = true
};
const Table plain{
    .name = "plain",
    .purpose = "",
    .partition = {{"object", ColumnType::text}},
    .clustering = {},
    .values = {{"note", ColumnType::text}}
};

TEST(Block, gives_back_the_rows_of_a_batch) {
    TableNumbers numbers;
    numbers.add(bulk, 7);
    numbers.add(plain, 300);
    Batch batch;
    batch.upsert(bulk, {"a", "t", std::int64_t{5}});
    batch.upsert(plain, {"b", "note"});
    batch.erase(bulk, {"a", "u"});
    Block block;
    append_batch(batch, numbers, block);

    BlockRow row;
    std::string_view left{block.bulk_rows};
    ASSERT_TRUE(take_row(left, row));
    EXPECT_EQ(row.table, 7U);
    EXPECT_FALSE(row.erase);
    EXPECT_EQ(row.partition_length, storage::partition_length(bulk, row.key).value());
    EXPECT_EQ(row.key, std::string_view("a\0\1t\0\1", 6));
    EXPECT_FALSE(row.value.empty());
    ASSERT_TRUE(take_row(left, row));
    EXPECT_TRUE(row.erase);
    EXPECT_TRUE(row.value.empty());
    EXPECT_TRUE(left.empty());

    left = block.rows;
    ASSERT_TRUE(take_row(left, row));
    EXPECT_EQ(row.table, 300U);
    EXPECT_TRUE(left.empty());
}

TEST(Block, refuses_rows_that_are_cut_off_at_any_byte) {
    std::string rows;
    append_row({.table = 3, .partition_length = 2, .key = "abcd", .value = "value"}, rows);
    for (std::size_t length = 0; length < rows.size(); ++length) {
        std::string_view left = std::string_view{rows}.substr(0, length);
        BlockRow row;
        EXPECT_FALSE(take_row(left, row)) << length;
    }
}

TEST(Block, refuses_a_partition_longer_than_its_key) {
    std::string rows;
    append_row({.table = 3, .partition_length = 5, .key = "abcd", .value = "value"}, rows);
    std::string_view left{rows};
    BlockRow row;
    EXPECT_FALSE(take_row(left, row));
}

// The example that the description of the format shows.
TEST(Block, has_the_bytes_that_the_documents_show) {
    std::string rows;
    append_row(
        {.table = 3, .partition_length = 3, .key = std::string_view{"a\0\1t\0\1", 6}, .value = "v"},
        rows
    );
    append_row(
        {.table = 3, .erase = true, .partition_length = 3, .key = std::string_view{"a\0\1u\0\1", 6}
        },
        rows
    );
    std::string shown;
    for (const char byte : rows) {
        shown +=
            fmt::format("{}{:02X}", shown.empty() ? "" : " ", static_cast<unsigned char>(byte));
    }
    std::ifstream file{in_repository("docs/formats/blocks.md")};
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_NE(text.str().find(shown), std::string::npos) << shown;
}

}  // namespace
}  // namespace footfall::storage_rocksdb
