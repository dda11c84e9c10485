#include "storage_cassandra/statements.h"

#include <gtest/gtest.h>

namespace footfall::storage_cassandra {
namespace {

using storage::ColumnType;
using storage::Order;
using storage::Table;
using storage::Value;

const Table visit{
    .name = "visit",
    .purpose = "Visits.",
    .partition = {{"site", ColumnType::text}, {"object", ColumnType::text}},
    .clustering =
        {{"day", ColumnType::day, Order::descending},
         {"hour", ColumnType::integer},
         {"id", ColumnType::bytes}},
    .values = {{"until", ColumnType::timestamp}},
    .expires = "until"
};

const Keyspaces in_f{.all = "f"};

const Table name{
    .name = "name",
    .purpose = "Names.",
    .partition = {{"name", ColumnType::text}},
    .clustering = {},
    .values = {}
};

TEST(Statements, write_rows_with_their_timestamp_and_life) {
    EXPECT_EQ(
        insert_cql(visit, in_f),
        R"(INSERT INTO "f"."visit" ("site", "object", "day", "hour", "id", "until") )"
        R"(VALUES (?, ?, ?, ?, ?, ?) USING TIMESTAMP ? AND TTL ?)"
    );
    EXPECT_EQ(
        insert_new_cql(name, in_f), R"(INSERT INTO "f"."name" ("name") VALUES (?) IF NOT EXISTS)"
    );
    EXPECT_EQ(
        insert_cql(name, in_f), R"(INSERT INTO "f"."name" ("name") VALUES (?) USING TIMESTAMP ?)"
    );
    EXPECT_EQ(
        delete_cql(visit, in_f),
        R"(DELETE FROM "f"."visit" USING TIMESTAMP ? )"
        R"(WHERE "site" = ? AND "object" = ? AND "day" = ? AND "hour" = ? AND "id" = ?)"
    );
}

TEST(Statements, ask_the_keyspace_in_which_the_table_stands) {
    const Keyspaces of_regions{.all = "f", .of_region = "f_dc1"};
    Table made_anew = name;
    made_anew.of_region = true;
    EXPECT_EQ(
        select_row_cql(made_anew, of_regions),
        R"(SELECT "name" FROM "f_dc1"."name" WHERE "name" = ?)"
    );
    EXPECT_EQ(select_row_cql(name, of_regions), select_row_cql(name, in_f));
    EXPECT_EQ(select_row_cql(made_anew, in_f), select_row_cql(name, in_f)) << "one region";
    EXPECT_EQ(of_regions.joined(), "f,f_dc1");
    EXPECT_EQ(in_f.joined(), "f");
}

TEST(Statements, scan_by_token) {
    EXPECT_EQ(
        select_tokens_cql(visit, in_f, true),
        R"(SELECT "site", "object", "day", "hour", "id", "until" FROM "f"."visit" LIMIT ?)"
    );
    EXPECT_EQ(
        select_tokens_cql(visit, in_f, false),
        R"(SELECT "site", "object", "day", "hour", "id", "until" FROM "f"."visit" )"
        R"(WHERE token("site", "object") > token(?, ?) LIMIT ?)"
    );
    EXPECT_EQ(
        select_same_token_cql(visit, in_f),
        R"(SELECT DISTINCT "site", "object" FROM "f"."visit" )"
        R"(WHERE token("site", "object") = token(?, ?) LIMIT ?)"
    );
}

TEST(Statements, answer_what_the_reader_does_not_know_yet) {
    EXPECT_EQ(
        select_row_cql(visit, in_f),
        R"(SELECT "until" FROM "f"."visit" )"
        R"(WHERE "site" = ? AND "object" = ? AND "day" = ? AND "hour" = ? AND "id" = ?)"
    );
    EXPECT_EQ(select_row_cql(name, in_f), R"(SELECT "name" FROM "f"."name" WHERE "name" = ?)");
    EXPECT_EQ(
        select_cql(visit, in_f, Slice{}),
        R"(SELECT "day", "hour", "id", "until" FROM "f"."visit" )"
        R"(WHERE "site" = ? AND "object" = ? LIMIT ?)"
    );
}

TEST(Statements, of_several_partitions_where_a_key_is_one_column_or_two) {
    const Table entry{
        .name = "entry",
        .purpose = "Entries.",
        .partition = {{"id", ColumnType::integer}},
        .clustering = {{"object", ColumnType::text}},
        .values = {{"content", ColumnType::integer}}
    };
    EXPECT_TRUE(has_select_rows(name));
    EXPECT_TRUE(has_select_rows(entry));
    EXPECT_FALSE(has_select_rows(visit));
    EXPECT_EQ(select_rows_cql(name, in_f), R"(SELECT "name" FROM "f"."name" WHERE "name" IN ?)");
    EXPECT_EQ(
        select_rows_cql(entry, in_f),
        R"(SELECT "id", "object", "content" FROM "f"."entry" WHERE "id" IN ? AND "object" IN ?)"
    );
}

TEST(Statements, of_the_beginnings_of_partitions_that_differ_in_their_last_column) {
    EXPECT_EQ(
        select_partitions_cql(visit, in_f),
        R"(SELECT "object", "day", "hour", "id", "until" FROM "f"."visit" )"
        R"(WHERE "site" = ? AND "object" IN ? PER PARTITION LIMIT ?)"
    );
    EXPECT_EQ(
        select_partitions_cql(name, in_f),
        R"(SELECT "name" FROM "f"."name" WHERE "name" IN ? PER PARTITION LIMIT ?)"
    );
}

TEST(Statements, bounds_of_a_descending_column_turn_round) {
    const Value one = std::int64_t{1};
    EXPECT_EQ(
        select_cql(visit, in_f, Slice{.lower = {one}, .upper = {one}, .lower_included = false}),
        R"(SELECT "day", "hour", "id", "until" FROM "f"."visit" )"
        R"(WHERE "site" = ? AND "object" = ? AND ("day") < (?) AND ("day") >= (?) LIMIT ?)"
    );
    EXPECT_EQ(
        select_cql(
            visit,
            in_f,
            Slice{.equal = {one}, .lower = {one, "a"}, .upper = {one}, .upper_included = false}
        ),
        R"(SELECT "day", "hour", "id", "until" FROM "f"."visit" WHERE "site" = ? AND "object" = ? )"
        R"(AND "day" = ? AND ("hour", "id") >= (?, ?) AND ("hour") < (?) LIMIT ?)"
    );
}

}  // namespace
}  // namespace footfall::storage_cassandra
