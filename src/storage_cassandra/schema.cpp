#include "storage_cassandra/schema.h"

#include "storage_cassandra/cell_buffer.h"
#include "storage_cassandra/write_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <utility>

namespace footfall::storage_cassandra {
namespace {

using storage::Column;
using storage::Table;

constexpr std::chrono::milliseconds schema_deadline{60'000};

/// The strategy that has a number of copies for each datacenter.
constexpr std::string_view by_datacenter = "NetworkTopologyStrategy";

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

/// "dc1: 3, dc2: 1"
std::string copies_text(const KeyspaceReplication& existing) {
    std::string text;
    for (const auto& [datacenter, copies] : existing) {
        if (datacenter != "class") {
            text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", datacenter, copies);
        }
    }
    return text;
}

/// Why, and the remedy, if copies are kept by a strategy that knows no datacenters.
std::optional<std::string> conflict_of_strategy(
    std::string_view keyspace, std::string_view datacenter, const KeyspaceReplication& existing
) {
    const auto strategy = existing.find("class");
    const std::string name = strategy == existing.end() ? "none" : strategy->second;
    if (name.ends_with(by_datacenter)) {
        return std::nullopt;
    }
    return fmt::format(
        "keyspace {} keeps its copies by {}, which knows no datacenters: ALTER KEYSPACE {} WITH "
        "replication = {{'class': '{}', '{}': 3}}, then nodetool repair --full on each node",
        keyspace,
        name.substr(name.rfind('.') + 1),
        storage::quoted_cql(keyspace),
        by_datacenter,
        datacenter
    );
}

/// A keyspace, and which tables stand in it.
struct Part {
    std::string keyspace;
    std::vector<const Table*> tables;
    bool of_region;
};

std::vector<Part> parts_of(std::span<const Table* const> tables, const KeyspaceUse& use) {
    std::vector<Part> parts{{.keyspace = use.keyspaces.all, .tables = {}, .of_region = false}};
    if (!use.keyspaces.of_region.empty()) {
        parts.push_back({.keyspace = use.keyspaces.of_region, .tables = {}, .of_region = true});
    }
    for (Part& part : parts) {
        std::ranges::copy_if(tables, std::back_inserter(part.tables), [&](const Table* table) {
            return use.keyspaces.of(*table) == part.keyspace;
        });
    }
    return parts;
}

/// What to make it with, of all copies that were said; none if none were.
Result<storage::Replication> copies_of(
    const Part& part, const std::string& datacenter, const storage::Replication& replication
) {
    if (!part.of_region || replication.empty()) {
        return replication;
    }
    const auto local = replication.find(datacenter);
    if (local == replication.end()) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "keyspace {} is of the region of datacenter {}, of which no copies are said: add "
                "them (--cassandra-replication {}:3), or name the datacenter of this region "
                "(--cassandra-datacenter)",
                part.keyspace,
                datacenter,
                datacenter
            )
        );
    }
    return storage::Replication{*local};
}

/// As compare_keyspaces(), of one.
Result<SchemaDifferences> compare_part(
    Driver& driver, const Part& part, const std::string& datacenter
) {
    TRY(const auto replication, existing_replication(driver, part.keyspace));
    if (!replication) {
        return SchemaDifferences{
            .conflicts = {fmt::format(
                "there is no keyspace {}: footfall schema apply {}--cassandra-replication {}:3 "
                "makes it",
                part.keyspace,
                part.of_region ? fmt::format("--cassandra-region-keyspace {} ", part.keyspace) : "",
                datacenter
            )}
        };
    }
    TRY(const std::vector<ExistingColumn> existing, existing_columns(driver, part.keyspace));
    SchemaDifferences differences = compare_schema(part.tables, part.keyspace, existing);
    const auto compare = part.of_region ? compare_region_replication : compare_replication;
    std::ranges::move(
        compare(part.keyspace, datacenter, *replication), std::back_inserter(differences.conflicts)
    );
    return differences;
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
    if (auto conflict = conflict_of_strategy(keyspace, datacenter, existing)) {
        return {*std::move(conflict)};
    }
    if (!existing.contains(std::string{datacenter})) {
        return {fmt::format(
            "keyspace {} keeps no copy in datacenter {} ({}): name another one "
            "(--cassandra-datacenter), or add it by ALTER KEYSPACE and nodetool rebuild",
            keyspace,
            datacenter,
            copies_text(existing)
        )};
    }
    return {};
}

std::vector<std::string> compare_region_replication(
    std::string_view keyspace, std::string_view datacenter, const KeyspaceReplication& existing
) {
    if (auto conflict = conflict_of_strategy(keyspace, datacenter, existing)) {
        return {*std::move(conflict)};
    }
    const auto local = existing.find(std::string{datacenter});
    if (local == existing.end()) {
        return {fmt::format(
            "keyspace {} keeps no copy in datacenter {} ({}), so it is that of another region: "
            "name that of this one (--cassandra-region-keyspace), or the datacenter where we are "
            "(--cassandra-datacenter)",
            keyspace,
            datacenter,
            copies_text(existing)
        )};
    }
    if (existing.size() > 2) {  // `class`, and the local datacenter
        return {fmt::format(
            "keyspace {} keeps copies in several datacenters ({}), and its rows are those of one "
            "region, made there anew: name another one (--cassandra-region-keyspace), or if no "
            "other region uses it ALTER KEYSPACE {} WITH replication = {{'class': '{}', '{}': {}}}",
            keyspace,
            copies_text(existing),
            storage::quoted_cql(keyspace),
            by_datacenter,
            datacenter,
            local->second
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

Result<std::vector<std::string>> create_keyspaces(
    const KeyspaceUse& use, const storage::Replication& replication
) {
    std::vector<std::string> statements;
    for (const Part& part : parts_of({}, use)) {
        TRY(const storage::Replication copies, copies_of(part, use.datacenter, replication));
        statements.push_back(storage::create_keyspace_cql(part.keyspace, copies));
    }
    return statements;
}

Result<SchemaDifferences> compare_keyspaces(
    Driver& driver, std::span<const Table* const> tables, const KeyspaceUse& use
) {
    SchemaDifferences all;
    for (const Part& part : parts_of(tables, use)) {
        TRY(SchemaDifferences differences, compare_part(driver, part, use.datacenter));
        std::ranges::move(differences.missing, std::back_inserter(all.missing));
        std::ranges::move(differences.conflicts, std::back_inserter(all.conflicts));
    }
    return all;
}

Result<std::vector<std::string>> apply_schema(
    Driver& driver,
    std::span<const Table* const> tables,
    const KeyspaceUse& use,
    const storage::Replication& replication
) {
    std::vector<std::string> statements;
    for (const Part& part : parts_of(tables, use)) {
        TRY(const auto there, existing_replication(driver, part.keyspace));
        if (there) {
            continue;
        }
        TRY(const storage::Replication copies, copies_of(part, use.datacenter, replication));
        if (copies.empty()) {
            return fail(
                ErrorKind::conflict,
                fmt::format(
                    "there is no keyspace {}, and nobody said how many copies it should have",
                    part.keyspace
                )
            );
        }
        statements.push_back(storage::create_keyspace_cql(part.keyspace, copies));
    }
    for (const std::string& statement : statements) {
        TRY_VOID(driver.run(statement, schema_deadline));
    }
    TRY(const SchemaDifferences differences, compare_keyspaces(driver, tables, use));
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
    TRY(const SchemaDifferences differences, compare_keyspaces(driver, tables, use));
    if (differences.none()) {
        return {};
    }
    return fail(
        ErrorKind::conflict,
        fmt::format(
            "keyspace {} is not as this version needs it, in {} places, the first: {}; see "
            "`footfall schema check` and `footfall schema apply`",
            use.keyspaces.joined(),
            differences.conflicts.size() + differences.missing.size(),
            differences.conflicts.empty() ? differences.missing.front()
                                          : differences.conflicts.front()
        )
    );
}

}  // namespace footfall::storage_cassandra
