#include "storage/cql_schema.h"

#include "foundation/check.h"
#include "foundation/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace footfall::storage {
namespace {

// How long a tombstone is kept. An expired cell needs none of it: every replica knows by itself
// that it is over. An erase does: a replica that was away longer, and was not repaired when it came
// back, brings the row to life again. The least that Cassandra can work with is its hint window of
// 3 hours; a day more than covers it and lets spans of expired tokens go soon. Where rows do not
// expire there is nothing to gain, so Cassandra's own 10 days stand.
constexpr int gc_grace_seconds_expiring = 24 * 60 * 60;
// Where nothing is erased on the cluster only hints need it: a hint does not live longer.
constexpr int gc_grace_seconds_never_erased = 3 * 60 * 60;
// The owner of such a row erases it again when it comes to life again.
constexpr int gc_grace_seconds_secret = 4 * 60 * 60;
// A secret is to be gone soon, and goes when the row that was erased and its tombstone are merged,
// however long that one is kept. So each node writes what is in memory to a file twice an hour,
// and merges that with all there is of the table up to a gigabyte: a level of so large a fan-out
// has it all, and never more than one file. What it costs is a table that is written anew every
// half hour in which one of its rows changed, as embedded (Store::shred).
constexpr int flush_milliseconds_secret = 30 * 60 * 1000;
constexpr std::string_view scaling_of_secret = "L1000";
constexpr int gc_grace_seconds_default = 10 * 24 * 60 * 60;

std::string quoted_names(const std::vector<Column>& columns) {
    std::string list;
    for (const Column& column : columns) {
        list += list.empty() ? "" : ", ";
        list += quoted_cql(column.name);
    }
    return list;
}

std::string primary_key(const Table& table) {
    std::string key = fmt::format("PRIMARY KEY (({})", quoted_names(table.partition));
    if (!table.clustering.empty()) {
        key += ", " + quoted_names(table.clustering);
    }
    return key + ")";
}

std::string clustering_order(const Table& table) {
    std::string order;
    for (const Column& column : table.clustering) {
        order += order.empty() ? "" : ", ";
        order += quoted_cql(column.name);
        order += column.order == Order::descending ? " DESC" : " ASC";
    }
    return order;
}

int gc_grace_seconds(const Table& table) {
    if (table.secret) {
        return gc_grace_seconds_secret;
    }
    if (table.expires.empty()) {
        return gc_grace_seconds_default;
    }
    return table.of_record ? gc_grace_seconds_never_erased : gc_grace_seconds_expiring;
}

std::string_view scaling_of(const Table& table) {
    if (table.secret) {
        return scaling_of_secret;
    }
    return table.compaction == Compaction::write_heavy ? "T4" : "L10";
}

std::string comment_of(const Table& table) {
    std::string comment;
    for (const char letter : table.purpose) {
        comment.append(letter == '\'' ? 2 : 1, letter);
    }
    for (std::size_t at = 0; at < table.width(); ++at) {
        if (table.column(at).type == ColumnType::timestamp) {
            return comment + " Moments are microseconds since 1970 (UTC).";
        }
    }
    return comment;
}

}  // namespace

// A moment is a bigint of microseconds: Cassandra's `timestamp` counts milliseconds, so rows that
// differ in the last three digits of a key would become one, and what was read would not be what
// was written. The comment of the table says so to whoever looks with cqlsh.
std::string_view cql_type(ColumnType type) {
    switch (type) {
        case ColumnType::text:
            return "text";
        case ColumnType::bytes:
            return "blob";
        case ColumnType::integer:
        case ColumnType::timestamp:
            return "bigint";
        case ColumnType::day:
            return "date";
        case ColumnType::decimal:
            return "decimal";
    }
    CHECK(false, "a column type without CQL", static_cast<int>(type));
}

// All names are quoted: some of ours (`token`) are reserved words, and what is free today may not
// be tomorrow.
std::string quoted_cql(std::string_view name) {
    return fmt::format("\"{}\"", name);
}

std::string create_table_cql(const Table& table, std::string_view keyspace) {
    std::size_t widest = 0;
    for (std::size_t at = 0; at < table.width(); ++at) {
        widest = std::max(widest, table.column(at).name.size() + 2);
    }
    std::string cql = fmt::format(
        "CREATE TABLE IF NOT EXISTS {}.{} (\n", quoted_cql(keyspace), quoted_cql(table.name)
    );
    for (std::size_t at = 0; at < table.width(); ++at) {
        const Column& column = table.column(at);
        cql +=
            fmt::format("    {:<{}} {},\n", quoted_cql(column.name), widest, cql_type(column.type));
    }
    cql += fmt::format("    {}\n) WITH ", primary_key(table));
    if (!table.clustering.empty()) {
        cql += fmt::format("CLUSTERING ORDER BY ({})\n  AND ", clustering_order(table));
    }
    cql += fmt::format("comment = '{}'\n", comment_of(table));
    cql += fmt::format(
        "  AND compaction = {{'class': 'UnifiedCompactionStrategy', 'scaling_parameters': '{}'}}\n",
        scaling_of(table)
    );
    cql += "  AND compression = {'class': 'LZ4Compressor'}\n";
    cql += fmt::format("  AND gc_grace_seconds = {}", gc_grace_seconds(table));
    if (table.secret) {
        cql += fmt::format("\n  AND memtable_flush_period_in_ms = {}", flush_milliseconds_secret);
    }
    return cql;
}

Result<Replication> parse_replication(std::string_view text) {
    constexpr std::uint64_t most_copies = 100;
    Replication replication;
    for (const auto each : std::views::split(text, ',')) {
        const std::string_view part{each.begin(), each.end()};
        const std::size_t colon = part.rfind(':');
        const auto copies =
            colon == std::string_view::npos ? std::nullopt : parse_unsigned(part.substr(colon + 1));
        const std::string datacenter{part.substr(0, std::min(colon, part.size()))};
        const bool plain = datacenter.find_first_of("'\"") == std::string::npos;
        if (!copies || *copies < 1 || *copies > most_copies || datacenter.empty() || !plain ||
            !replication.emplace(datacenter, static_cast<int>(*copies)).second) {
            return fail(
                ErrorKind::invalid_input,
                "expected DATACENTER:COPIES with commas between, each once, such as dc1:3,dc2:1"
            );
        }
    }
    return replication;
}

std::string create_keyspace_cql(std::string_view keyspace, const Replication& replication) {
    std::string copies;
    for (const auto& [datacenter, count] : replication) {
        copies += fmt::format(", '{}': {}", datacenter, count);
    }
    return fmt::format(
        "CREATE KEYSPACE IF NOT EXISTS {}\n"
        "  WITH replication = {{'class': 'NetworkTopologyStrategy'{}}}",
        quoted_cql(keyspace),
        copies
    );
}

std::string add_column_cql(const Table& table, const Column& column, std::string_view keyspace) {
    return fmt::format(
        "ALTER TABLE {}.{} ADD {} {}",
        quoted_cql(keyspace),
        quoted_cql(table.name),
        quoted_cql(column.name),
        cql_type(column.type)
    );
}

}  // namespace footfall::storage
