#include "storage_cassandra/write_plan.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <string>

namespace footfall::storage_cassandra {
namespace {

using storage::Batch;
using storage::ColumnType;
using storage::Table;

const Table mark{
    .name = "mark",
    .purpose = "Rows that expire.",
    .partition = {{"object", ColumnType::text}},
    .clustering = {{"mark", ColumnType::text}},
    .values = {{"expires", ColumnType::timestamp}},
    .expires = "expires"
};
const Table link{
    .name = "link",
    .purpose = "Rows that are nothing but their key.",
    .partition = {{"owner", ColumnType::integer}, {"kind", ColumnType::text}},
    .clustering = {{"other", ColumnType::text}},
    .values = {}
};

constexpr std::int64_t second = 1'000'000;
const Instant now{std::chrono::days{20'000}};
const std::int64_t clock_now = now.time_since_epoch().count();

Result<std::vector<PartitionWrite>> plan(const Batch& batch) {
    static const TableStatements of_mark{.insert = 1, .erase = 2};
    static const TableStatements of_link{.insert = 11, .erase = 12};
    return plan_writes(batch, now, [](const Table& table) -> const TableStatements& {
        return &table == &mark ? of_mark : of_link;
    });
}

TEST(PlanWrites, one_write_a_partition_of_a_table) {
    Batch batch;
    batch.upsert(mark, {"a", "1", std::int64_t{0}});
    batch.upsert(link, {std::int64_t{1}, "", "x"});
    batch.upsert(mark, {"b", "1", std::int64_t{0}});
    batch.erase(mark, {"a", "2"});
    batch.upsert(link, {std::int64_t{1}, "k", "x"});
    const auto writes = plan(batch);
    ASSERT_TRUE(writes);
    ASSERT_EQ(writes->size(), 4U);
    std::size_t rows = 0;
    for (const PartitionWrite& write : *writes) {
        rows += write.rows.size();
    }
    EXPECT_EQ(rows, 5U);
}

TEST(PlanWrites, the_last_mutation_of_a_key_is_the_only_one) {
    Batch batch;
    batch.upsert(mark, {"a", "1", std::int64_t{1}});
    batch.erase(mark, {"a", "1"});
    batch.upsert(mark, {"a", "2", std::int64_t{1}});
    batch.upsert(mark, {"a", "1", std::int64_t{2}});
    batch.erase(mark, {"a", "2"});
    const auto writes = plan(batch);
    ASSERT_TRUE(writes);
    ASSERT_EQ(writes->size(), 1U);
    ASSERT_EQ(writes->front().rows.size(), 2U);
    EXPECT_EQ(writes->front().rows[0].statement, 1U);
    EXPECT_EQ(writes->front().rows[1].statement, 2U);
}

TEST(PlanWrites, an_insert_has_all_columns_its_timestamp_and_its_life_an_erase_its_key) {
    Batch batch;
    batch.upsert(mark, {"a", "1", std::int64_t{1}});
    batch.erase(mark, {"a", "2"});
    batch.upsert(link, {std::int64_t{1}, "k", "x"});
    const auto writes = plan(batch);
    ASSERT_TRUE(writes);
    for (const PartitionWrite& write : *writes) {
        for (const PartitionWrite::Row& row : write.rows) {
            const std::size_t expected = row.statement == 1 ? 5 : row.statement == 2 ? 3 : 4;
            EXPECT_EQ(row.cells, expected);
        }
    }
}

TEST(PlanWrites, refuses_what_cassandra_cannot_take) {
    Batch empty_key;
    empty_key.upsert(mark, {"", "1", std::int64_t{0}});
    Batch too_long_key;
    too_long_key.erase(mark, {std::string(70'000, 'n'), "1"});
    Batch too_long_mark;
    too_long_mark.erase(mark, {"a", std::string(70'000, 'n')});
    Batch no_utf8;
    no_utf8.upsert(mark, {"a", "\xff", std::int64_t{0}});
    Batch too_many_rows;
    Batch too_many_bytes;
    for (int row = 0; row < 65'536; ++row) {
        too_many_rows.upsert(link, {std::int64_t{1}, "", std::to_string(row)});
    }
    for (int row = 0; row < 80; ++row) {
        const std::string text = std::to_string(row) + std::string(60'000, 'n');
        too_many_bytes.upsert(mark, {"a", text, std::int64_t{0}});
    }
    for (const Batch* batch :
         {&empty_key, &too_long_key, &too_long_mark, &no_utf8, &too_many_rows, &too_many_bytes}) {
        const auto writes = plan(*batch);
        ASSERT_FALSE(writes);
        EXPECT_EQ(writes.error().kind, ErrorKind::invalid_input);
    }
}

TEST(TimeToLive, lasts_until_an_hour_behind_and_never_less_than_an_hour) {
    EXPECT_EQ(time_to_live(0, now), 0);
    EXPECT_EQ(time_to_live(clock_now, now), 3600);
    EXPECT_EQ(time_to_live(clock_now + 1, now), 3601);
    EXPECT_EQ(time_to_live(clock_now + 10 * second, now), 3610);
    EXPECT_EQ(time_to_live(clock_now - 1, now), 3600);
    EXPECT_EQ(time_to_live(1, now), 3600);
    EXPECT_EQ(time_to_live(std::numeric_limits<std::int64_t>::min(), now), 3600);
    EXPECT_EQ(time_to_live(std::numeric_limits<std::int64_t>::max(), now), 0);
}

}  // namespace
}  // namespace footfall::storage_cassandra
