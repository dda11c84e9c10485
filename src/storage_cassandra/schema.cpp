#include "storage_cassandra/schema.h"

#include "storage_cassandra/cell_buffer.h"
#include "storage_cassandra/write_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

namespace footfall::storage_cassandra {
namespace {

using storage::Column;
using storage::Table;

constexpr std::chrono::milliseconds schema_deadline{60'000};

/// What a column of ours should be, in the words of system_schema.
ExistingColumn declared(const Table& table, std::size_t index) {
    const Column& column = table.column(index);
    ExistingColumn wanted{
        .table = std::string{table.name},
        .name = std::string{column.name},
        .type = std::string{storage::cql_type(column.type)},
        .kind = "regular",
        .order = "none"
    };
    if (index < table.partition.size()) {
        wanted.kind = "partition_key";
        wanted.position = static_cast<std::int32_t>(index);
    } else if (index < table.key_width()) {
        wanted.kind = "clustering";
        wanted.order = column.order == storage::Order::descending ? "desc" : "asc";
        wanted.position = static_cast<std::int32_t>(index - table.partition.size());
    }
    return wanted;
}

bool declares(const Table& table, std::string_view name) {
    for (std::size_t at = 0; at < table.width(); ++at) {
        if (table.column(at).name == name) {
            return true;
        }
    }
    return false;
}

void compare_table(
    const Table& table,
    std::string_view keyspace,
    const std::map<std::string_view, const ExistingColumn*>& existing,
    SchemaDifferences& differences
) {
    for (std::size_t at = 0; at < table.width(); ++at) {
        const ExistingColumn wanted = declared(table, at);
        const auto found = existing.find(wanted.name);
        if (found == existing.end()) {
            if (at < table.key_width()) {
                differences.conflicts.push_back(fmt::format(
                    "{}.{} has no key column {}: an earlier version of footfall made the "
                    "table, and this one does not read it; choose another keyspace",
                    keyspace,
                    table.name,
                    wanted.name
                ));
            } else {
                differences.missing.push_back(add_column_cql(table, table.column(at), keyspace));
            }
            continue;
        }
        const ExistingColumn& there = *found->second;
        if (there.type != wanted.type || there.kind != wanted.kind || there.order != wanted.order ||
            there.position != wanted.position) {
            differences.conflicts.push_back(fmt::format(
                "{}.{}.{} is {} {} {} {} and should be {} {} {} {}",
                keyspace,
                table.name,
                wanted.name,
                there.kind,
                there.position,
                there.type,
                there.order,
                wanted.kind,
                wanted.position,
                wanted.type,
                wanted.order
            ));
        }
    }
    for (const auto& [name, there] : existing) {
        const bool key = there->kind == "partition_key" || there->kind == "clustering";
        if (key && !declares(table, name)) {
            differences.conflicts.push_back(fmt::format(
                "{}.{} has a key column {} that nobody declared", keyspace, table.name, name
            ));
        }
    }
}

}  // namespace

std::vector<const Table*> with_own_tables(std::vector<const Table*> tables) {
    tables.push_back(&write_time_table);
    return tables;
}

SchemaDifferences compare_schema(
    std::span<const Table* const> tables,
    std::string_view keyspace,
    std::span<const ExistingColumn> existing
) {
    std::map<std::string_view, std::map<std::string_view, const ExistingColumn*>> by_table;
    for (const ExistingColumn& column : existing) {
        by_table[column.table][column.name] = &column;
    }
    SchemaDifferences differences;
    for (const Table* table : tables) {
        const auto found = by_table.find(table->name);
        if (found == by_table.end()) {
            differences.missing.push_back(create_table_cql(*table, keyspace));
        } else {
            compare_table(*table, keyspace, found->second, differences);
        }
    }
    return differences;
}

std::vector<std::string> compare_replication(
    std::string_view keyspace, std::string_view datacenter, const KeyspaceReplication& existing
) {
    constexpr std::string_view wanted = "NetworkTopologyStrategy";
    const auto strategy = existing.find("class");
    const std::string name = strategy == existing.end() ? "none" : strategy->second;
    if (!name.ends_with(wanted)) {
        return {fmt::format(
            "keyspace {} keeps its copies by {}, which knows no datacenters: ALTER KEYSPACE {} "
            "WITH "
            "replication = {{'class': '{}', '{}': 3}}, then nodetool repair --full on each node",
            keyspace,
            name.substr(name.rfind('.') + 1),
            storage::quoted_cql(keyspace),
            wanted,
            datacenter
        )};
    }
    if (!existing.contains(std::string{datacenter})) {
        std::string others;
        for (const auto& [other, copies] : existing) {
            if (other != "class") {
                others += fmt::format("{}{}: {}", others.empty() ? "" : ", ", other, copies);
            }
        }
        return {fmt::format(
            "keyspace {} keeps no copy in datacenter {} ({}): name another one "
            "(--cassandra-datacenter), or add it by ALTER KEYSPACE and nodetool rebuild",
            keyspace,
            datacenter,
            others
        )};
    }
    return {};
}

Result<std::optional<KeyspaceReplication>> existing_replication(
    Driver& driver, std::string_view keyspace
) {
    TRY(const Answer answer,
        driver.run(
            fmt::format(
                "SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = '{}'",
                keyspace
            ),
            schema_deadline
        ));
    if (answer.rows() == 0) {
        return std::nullopt;
    }
    return text_map_of(answer.cell(0, 0));
}

Result<std::vector<ExistingColumn>> existing_columns(Driver& driver, std::string_view keyspace) {
    TRY(const Answer answer,
        driver.run(
            fmt::format(
                "SELECT table_name, column_name, type, kind, clustering_order, position "
                "FROM system_schema.columns WHERE keyspace_name = '{}'",
                keyspace
            ),
            schema_deadline
        ));
    std::vector<ExistingColumn> columns;
    for (std::size_t row = 0; row < answer.rows(); ++row) {
        TRY(const std::int32_t position, int_of(answer.cell(row, 5)));
        columns.push_back(
            {.table = std::string{answer.text(row, 0)},
             .name = std::string{answer.text(row, 1)},
             .type = std::string{answer.text(row, 2)},
             .kind = std::string{answer.text(row, 3)},
             .order = std::string{answer.text(row, 4)},
             .position = position}
        );
    }
    return columns;
}

Result<SchemaDifferences> compare_keyspace(
    Driver& driver, std::span<const Table* const> tables, const KeyspaceUse& use
) {
    TRY(const auto replication, existing_replication(driver, use.keyspace));
    if (!replication) {
        return SchemaDifferences{
            .conflicts = {fmt::format(
                "there is no keyspace {}: footfall schema apply --cassandra-replication {}:3 makes "
                "it",
                use.keyspace,
                use.datacenter
            )}
        };
    }
    TRY(const std::vector<ExistingColumn> existing, existing_columns(driver, use.keyspace));
    SchemaDifferences differences = compare_schema(tables, use.keyspace, existing);
    for (std::string& conflict : compare_replication(use.keyspace, use.datacenter, *replication)) {
        differences.conflicts.push_back(std::move(conflict));
    }
    return differences;
}

Result<std::vector<std::string>> apply_schema(
    Driver& driver,
    std::span<const Table* const> tables,
    const KeyspaceUse& use,
    const storage::Replication& replication
) {
    TRY(const auto there, existing_replication(driver, use.keyspace));
    std::vector<std::string> statements;
    if (!there) {
        if (replication.empty()) {
            return fail(
                ErrorKind::conflict,
                fmt::format(
                    "there is no keyspace {}, and nobody said how many copies it should have",
                    use.keyspace
                )
            );
        }
        statements.push_back(storage::create_keyspace_cql(use.keyspace, replication));
        TRY_VOID(driver.run(statements.front(), schema_deadline));
    }
    TRY(const SchemaDifferences differences, compare_keyspace(driver, tables, use));
    if (!differences.conflicts.empty()) {
        return fail(ErrorKind::conflict, differences.conflicts.front());
    }
    for (const std::string& statement : differences.missing) {
        TRY_VOID(driver.run(statement, schema_deadline));
        statements.push_back(statement);
    }
    return statements;
}

Result<void> check_schema(
    Driver& driver, std::span<const Table* const> tables, const KeyspaceUse& use
) {
    TRY(const SchemaDifferences differences, compare_keyspace(driver, tables, use));
    if (differences.none()) {
        return {};
    }
    return fail(
        ErrorKind::conflict,
        fmt::format(
            "keyspace {} is not as this version needs it, in {} places, the first: {}; see "
            "`footfall schema check` and `footfall schema apply`",
            use.keyspace,
            differences.conflicts.size() + differences.missing.size(),
            differences.conflicts.empty() ? differences.missing.front()
                                          : differences.conflicts.front()
        )
    );
}

}  // namespace footfall::storage_cassandra
