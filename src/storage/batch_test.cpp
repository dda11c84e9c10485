#include "storage/batch.h"

#include "storage/key_codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace footfall::storage {
namespace {

/// All columns of a mutation; of an erase its key.
std::vector<Value> decoded(const Batch::Mutation& mutation) {
    std::vector<ValueView> columns;
    std::string texts;
    EXPECT_TRUE(decode_key(*mutation.table, mutation.key, columns, texts));
    if (mutation.kind == Batch::Kind::upsert) {
        EXPECT_TRUE(decode_row_values(*mutation.table, mutation.values, columns));
    }
    return owned_values(columns);
}

const Table& letters() {
    static const Table table = {
        .name = "letters",
        .purpose = "",
        .partition = {{"owner", ColumnType::integer}},
        .clustering = {{"title", ColumnType::text}},
        .values = {{"body", ColumnType::bytes}, {"written", ColumnType::timestamp}}
    };
    return table;
}

TEST(Batch, keeps_mutations_in_their_order) {
    Batch batch;
    EXPECT_TRUE(batch.empty());
    batch.upsert(letters(), {std::int64_t{1}, "a", "body", std::int64_t{9}});
    batch.erase(letters(), {std::int64_t{2}, "b"});
    batch.upsert(letters(), {std::int64_t{3}, "c", "", std::int64_t{0}});
    EXPECT_EQ(batch.size(), 3U);
    std::vector<std::vector<Value>> rows;
    std::vector<Batch::Kind> kinds;
    batch.for_each([&](const Batch::Mutation& mutation) {
        EXPECT_EQ(mutation.table, &letters());
        EXPECT_EQ(mutation.partition_length, 2U);
        kinds.push_back(mutation.kind);
        rows.push_back(decoded(mutation));
    });
    using enum Batch::Kind;
    EXPECT_EQ(kinds, (std::vector{upsert, erase, upsert}));
    const std::vector<std::vector<Value>> expected{
        {std::int64_t{1}, "a", "body", std::int64_t{9}},
        {std::int64_t{2}, "b"},
        {std::int64_t{3}, "c", "", std::int64_t{0}}
    };
    EXPECT_EQ(rows, expected);
    EXPECT_GT(batch.bytes(), 30U);
    Batch copy;
    batch.for_each([&](const Batch::Mutation& mutation) { copy.append(mutation); });
    EXPECT_EQ(copy.bytes(), batch.bytes());
    rows.clear();
    kinds.clear();
    copy.for_each([&](const Batch::Mutation& mutation) {
        EXPECT_EQ(mutation.partition_length, 2U);
        kinds.push_back(mutation.kind);
        rows.push_back(decoded(mutation));
    });
    EXPECT_EQ(kinds, (std::vector{upsert, erase, upsert}));
    EXPECT_EQ(rows, expected);
    batch.clear();
    EXPECT_TRUE(batch.empty());
    EXPECT_EQ(batch.bytes(), 0U);
    batch.erase(letters(), {std::int64_t{4}, "d"});
    batch.for_each([](const Batch::Mutation& mutation) {
        EXPECT_EQ(decoded(mutation), (std::vector<Value>{std::int64_t{4}, "d"}));
    });
}

TEST(Batch, lets_its_caller_write_the_text_of_a_row) {
    const Table table{
        .name = "pages",
        .purpose = "",
        .partition = {{"book", ColumnType::text}},
        .clustering = {{"page", ColumnType::integer}},
        .values = {{"written", ColumnType::timestamp}, {"body", ColumnType::bytes}}
    };
    for (const std::size_t size : {0UZ, 1UZ, 127UZ, 128UZ, 70'000UZ}) {
        const std::string text(size, 'x');
        Batch batch;
        batch.upsert(table, {"b", std::int64_t{1}, std::int64_t{9}, "before"});
        const auto place =
            batch.upsert_before_text(table, {"b", std::int64_t{2}, std::int64_t{9}}, size);
        ASSERT_EQ(place.size(), size);
        std::ranges::copy(text, place.begin());
        batch.upsert(table, {"b", std::int64_t{3}, std::int64_t{9}, "behind"});
        Batch same;
        same.upsert(table, {"b", std::int64_t{1}, std::int64_t{9}, "before"});
        same.upsert(table, {"b", std::int64_t{2}, std::int64_t{9}, text});
        same.upsert(table, {"b", std::int64_t{3}, std::int64_t{9}, "behind"});
        std::vector<std::vector<Value>> rows;
        batch.for_each([&](const Batch::Mutation& mutation) { rows.push_back(decoded(mutation)); });
        std::size_t at = 0;
        same.for_each([&](const Batch::Mutation& mutation) {
            EXPECT_EQ(rows[at++], decoded(mutation)) << size;
        });
        EXPECT_EQ(at, 3U);
        EXPECT_EQ(batch.bytes(), same.bytes());
    }
}

TEST(BatchDeathTest, refuses_parts_of_rows_and_of_keys) {
    Batch batch;
    EXPECT_DEATH(batch.upsert(letters(), {std::int64_t{1}, "a"}), "all columns");
    EXPECT_DEATH(
        batch.upsert(letters(), {std::int64_t{1}, "a", std::int64_t{1}, std::int64_t{2}}),
        "wrong type"
    );
    EXPECT_DEATH(batch.erase(letters(), {std::int64_t{1}}), "whole key");
    EXPECT_DEATH(batch.erase(letters(), {"1", "a"}), "wrong type");
}

}  // namespace
}  // namespace footfall::storage
