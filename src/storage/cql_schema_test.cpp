#include "storage/cql_schema.h"

#include <gtest/gtest.h>

namespace footfall::storage {
namespace {

TEST(CreateTableCql, declares_the_token_table) {
    const Table token = {
        .name = "token",
        .purpose = "Who acted on an object, until when it counts.",
        .partition =
            {{"counter", ColumnType::text},
             {"object", ColumnType::text},
             {"level", ColumnType::integer},
             {"bucket", ColumnType::integer},
             {"span", ColumnType::integer}},
        .clustering = {{"token", ColumnType::text}},
        .values = {{"expires", ColumnType::timestamp}},
        .expires = "expires",
        .bulk = true
    };
    EXPECT_EQ(
        create_table_cql(token, "footfall"), R"(CREATE TABLE IF NOT EXISTS "footfall"."token" (
    "counter" text,
    "object"  text,
    "level"   bigint,
    "bucket"  bigint,
    "span"    bigint,
    "token"   text,
    "expires" bigint,
    PRIMARY KEY (("counter", "object", "level", "bucket", "span"), "token")
) WITH CLUSTERING ORDER BY ("token" ASC)
  AND comment = 'Who acted on an object, until when it counts. Moments are microseconds since 1970 (UTC).'
  AND compaction = {'class': 'UnifiedCompactionStrategy', 'scaling_parameters': 'L10'}
  AND compression = {'class': 'LZ4Compressor'}
  AND gc_grace_seconds = 86400)"
    );
}

TEST(CreateTableCql, keeps_orders_days_and_bytes_and_escapes_the_purpose) {
    const Table facts = {
        .name = "fact",
        .purpose = "A reseller's facts; 'quoted'.",
        .partition = {{"reseller", ColumnType::text}},
        .clustering = {{"day", ColumnType::day, Order::descending}, {"writer", ColumnType::bytes}},
        .values = {{"clicks", ColumnType::integer}, {"amount", ColumnType::decimal}},
        .compaction = Compaction::write_heavy
    };
    EXPECT_EQ(create_table_cql(facts, "counts"), R"(CREATE TABLE IF NOT EXISTS "counts"."fact" (
    "reseller" text,
    "day"      date,
    "writer"   blob,
    "clicks"   bigint,
    "amount"   decimal,
    PRIMARY KEY (("reseller"), "day", "writer")
) WITH CLUSTERING ORDER BY ("day" DESC, "writer" ASC)
  AND comment = 'A reseller''s facts; ''quoted''.'
  AND compaction = {'class': 'UnifiedCompactionStrategy', 'scaling_parameters': 'T4'}
  AND compression = {'class': 'LZ4Compressor'}
  AND gc_grace_seconds = 864000)");
}

TEST(CreateTableCql, needs_neither_clustering_nor_value_columns) {
    const Table seen = {
        .name = "seen",
        .purpose = "Names.",
        .partition = {{"name", ColumnType::text}},
        .clustering = {},
        .values = {}
    };
    EXPECT_EQ(create_table_cql(seen, "counts"), R"(CREATE TABLE IF NOT EXISTS "counts"."seen" (
    "name" text,
    PRIMARY KEY (("name"))
) WITH comment = 'Names.'
  AND compaction = {'class': 'UnifiedCompactionStrategy', 'scaling_parameters': 'L10'}
  AND compression = {'class': 'LZ4Compressor'}
  AND gc_grace_seconds = 864000)");
}

TEST(CreateTableCql, has_what_was_secret_merged_away_twice_an_hour) {
    const Table key = {
        .name = "key",
        .purpose = "Keys.",
        .partition = {{"name", ColumnType::text}},
        .clustering = {},
        .values = {{"key", ColumnType::bytes}},
        .secret = true
    };
    const std::string cql = create_table_cql(key, "counts");
    EXPECT_TRUE(cql.contains("'scaling_parameters': 'L1000'")) << cql;
    EXPECT_TRUE(
        cql.ends_with("gc_grace_seconds = 14400\n  AND memtable_flush_period_in_ms = 1800000")
    ) << cql;
}

/// Hints are not kept longer.
TEST(CreateTableCql, lets_what_is_never_erased_go_after_three_hours) {
    const Table seen = {
        .name = "seen",
        .purpose = "Names.",
        .partition = {{"name", ColumnType::text}},
        .clustering = {},
        .values =
            {{"log", ColumnType::integer},
             {"lane", ColumnType::integer},
             {"offset", ColumnType::integer},
             {"expires", ColumnType::timestamp}},
        .expires = "expires",
        .of_record = true
    };
    EXPECT_TRUE(create_table_cql(seen, "counts").ends_with("gc_grace_seconds = 10800"));
}

TEST(CreateKeyspaceCql, names_the_copies_of_each_datacenter) {
    EXPECT_EQ(
        create_keyspace_cql("counts", {{"dc1", 3}, {"dc2", 1}}),
        "CREATE KEYSPACE IF NOT EXISTS \"counts\"\n"
        "  WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3, 'dc2': 1}"
    );
}

TEST(ParseReplication, takes_copies_by_datacenter) {
    EXPECT_EQ(parse_replication("dc1:3,dc2:1").value(), (Replication{{"dc1", 3}, {"dc2", 1}}));
    EXPECT_EQ(parse_replication("").value(), Replication{});
    for (const char* bad :
         {"dc1",
          "dc1:",
          ":3",
          "dc1:0",
          "dc1:101",
          "dc1:-1",
          "dc1=3",
          "dc1:3,",
          "dc1:3,dc1:2",
          "d'1:3"}) {
        const auto refused = parse_replication(bad);
        ASSERT_FALSE(refused) << bad;
        EXPECT_EQ(refused.error().kind, ErrorKind::invalid_input);
    }
}

TEST(AddColumnCql, names_table_column_and_type) {
    const Table seen = {
        .name = "seen",
        .purpose = "Names.",
        .partition = {{"name", ColumnType::text}},
        .clustering = {},
        .values = {{"day", ColumnType::day}}
    };
    EXPECT_EQ(
        add_column_cql(seen, seen.values[0], "counts"),
        "ALTER TABLE \"counts\".\"seen\" ADD \"day\" date"
    );
}

}  // namespace
}  // namespace footfall::storage
