#include "storage_cassandra/statements.h"

#include "storage/cql_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::storage_cassandra {
namespace {

using storage::quoted_cql;
using storage::Table;

std::string qualified(const Table& table, const Keyspaces& keyspaces) {
    return fmt::format("{}.{}", quoted_cql(keyspaces.of(table)), quoted_cql(table.name));
}

std::string answered_names(const Table& table, std::size_t known) {
    std::string names;
    for (std::size_t at = first_answered(table, known); at < table.width(); ++at) {
        names += names.empty() ? "" : ", ";
        names += quoted_cql(table.column(at).name);
    }
    return names;
}

/// "a" = ? AND "b" = ?, of the first `count` columns.
std::string equal_columns(const Table& table, std::size_t count) {
    std::string condition;
    for (std::size_t at = 0; at < count; ++at) {
        condition += condition.empty() ? "" : " AND ";
        condition += fmt::format("{} = ?", quoted_cql(table.column(at).name));
    }
    return condition;
}

/// ("c", "d") <sign> (?, ?), of `count` clustering columns from `first` on. Always as a tuple: CQL
/// does not take a tuple for one bound and a plain column for the other.
std::string bound(const Table& table, std::size_t first, std::size_t count, std::string_view sign) {
    std::string names;
    std::string markers;
    for (std::size_t at = first; at < first + count; ++at) {
        names += names.empty() ? "" : ", ";
        names += quoted_cql(table.clustering[at].name);
        markers += markers.empty() ? "?" : ", ?";
    }
    return fmt::format(" AND ({}) {} ({})", names, sign, markers);
}

/// INSERT of all columns, each a marker.
std::string insert_all(const Table& table, const Keyspaces& keyspaces) {
    std::string names;
    std::string markers;
    for (std::size_t at = 0; at < table.width(); ++at) {
        names += names.empty() ? "" : ", ";
        names += quoted_cql(table.column(at).name);
        markers += markers.empty() ? "?" : ", ?";
    }
    return fmt::format(
        "INSERT INTO {} ({}) VALUES ({})", qualified(table, keyspaces), names, markers
    );
}

/// The partition columns, and as many markers.
std::pair<std::string, std::string> partition_names(const Table& table) {
    std::string names;
    std::string markers;
    for (const storage::Column& column : table.partition) {
        names += names.empty() ? "" : ", ";
        names += quoted_cql(column.name);
        markers += markers.empty() ? "?" : ", ?";
    }
    return {names, markers};
}

}  // namespace

std::size_t first_answered(const Table& table, std::size_t known) {
    return std::min(known, table.width() - 1);
}

std::string select_cql(const Table& table, const Keyspaces& keyspaces, const Slice& slice) {
    const std::size_t partition = table.partition.size();
    const std::size_t first = slice.equal.size();
    std::string cql = fmt::format(
        "SELECT {} FROM {} WHERE {}",
        answered_names(table, partition),
        qualified(table, keyspaces),
        equal_columns(table, partition + first)
    );
    // The lower bound of a descending column is the greater value.
    const bool descending = first < table.clustering.size() &&
                            table.clustering[first].order == storage::Order::descending;
    if (!slice.lower.empty()) {
        const std::string_view sign =
            slice.lower_included ? (descending ? "<=" : ">=") : (descending ? "<" : ">");
        cql += bound(table, first, slice.lower.size(), sign);
    }
    if (!slice.upper.empty()) {
        const std::string_view sign =
            slice.upper_included ? (descending ? ">=" : "<=") : (descending ? ">" : "<");
        cql += bound(table, first, slice.upper.size(), sign);
    }
    return cql + " LIMIT ?";
}

std::string select_row_cql(const Table& table, const Keyspaces& keyspaces) {
    return fmt::format(
        "SELECT {} FROM {} WHERE {}",
        answered_names(table, table.key_width()),
        qualified(table, keyspaces),
        equal_columns(table, table.key_width())
    );
}

bool has_select_rows(const Table& table) {
    return table.partition.size() == 1 && table.clustering.size() <= 1;
}

std::string select_rows_cql(const Table& table, const Keyspaces& keyspaces) {
    std::string cql = fmt::format(
        "SELECT {} FROM {} WHERE {} IN ?",
        answered_names(table, 0),
        qualified(table, keyspaces),
        quoted_cql(table.partition.front().name)
    );
    if (!table.clustering.empty()) {
        cql += fmt::format(" AND {} IN ?", quoted_cql(table.clustering.front().name));
    }
    return cql;
}

std::string select_partitions_cql(const Table& table, const Keyspaces& keyspaces) {
    const std::size_t same = table.partition.size() - 1;
    return fmt::format(
        "SELECT {} FROM {} WHERE {}{}{} IN ? PER PARTITION LIMIT ?",
        answered_names(table, same),
        qualified(table, keyspaces),
        equal_columns(table, same),
        same > 0 ? " AND " : "",
        quoted_cql(table.partition.back().name)
    );
}

std::string select_tokens_cql(const Table& table, const Keyspaces& keyspaces, bool from_start) {
    const auto [names, markers] = partition_names(table);
    return fmt::format(
        "SELECT {} FROM {}{} LIMIT ?",
        answered_names(table, 0),
        qualified(table, keyspaces),
        from_start ? "" : fmt::format(" WHERE token({}) > token({})", names, markers)
    );
}

std::string select_same_token_cql(const Table& table, const Keyspaces& keyspaces) {
    const auto [names, markers] = partition_names(table);
    return fmt::format(
        "SELECT DISTINCT {} FROM {} WHERE token({}) = token({}) LIMIT ?",
        names,
        qualified(table, keyspaces),
        names,
        markers
    );
}

std::string insert_cql(const Table& table, const Keyspaces& keyspaces) {
    return fmt::format(
        "{} USING TIMESTAMP ?{}",
        insert_all(table, keyspaces),
        table.expires.empty() ? "" : " AND TTL ?"
    );
}

std::string insert_new_cql(const Table& table, const Keyspaces& keyspaces) {
    return insert_all(table, keyspaces) + " IF NOT EXISTS";
}

std::string delete_cql(const Table& table, const Keyspaces& keyspaces) {
    return fmt::format(
        "DELETE FROM {} USING TIMESTAMP ? WHERE {}",
        qualified(table, keyspaces),
        equal_columns(table, table.key_width())
    );
}

}  // namespace footfall::storage_cassandra
