#pragma once

#include "foundation/result.h"
#include "storage/cql_schema.h"
#include "storage/table.h"
#include "storage_cassandra/driver.h"
#include "storage_cassandra/keyspaces.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::storage_cassandra {

/// One column as a cluster has it.
struct ExistingColumn {
    std::string table;
    std::string name;
    std::string type;
    std::string kind;            ///< partition_key, clustering or regular.
    std::string order;           ///< asc, desc or none.
    std::int32_t position = -1;  ///< Among those of its kind, for key columns.
};

/// How a keyspace differs from what is declared.
struct SchemaDifferences {
    std::vector<std::string> missing = {};    ///< Statements that make what is not there.
    std::vector<std::string> conflicts = {};  ///< What is there and is another: for a person.

    bool none() const { return missing.empty() && conflicts.empty(); }
};

/// `tables` of a program, and those that the store keeps for itself.
std::vector<const storage::Table*> with_own_tables(std::vector<const storage::Table*> tables);

/// What makes `existing` as declared: new tables, and value columns added to old ones. Columns that
/// nobody declared are left alone. Pure.
SchemaDifferences compare_schema(
    std::span<const storage::Table* const> tables,
    std::string_view keyspace,
    std::span<const ExistingColumn> existing
);

/// How a keyspace keeps copies, in the words of system_schema: `class` is its strategy; with
/// NetworkTopologyStrategy each other name is a datacenter, and its value a number of copies.
using KeyspaceReplication = std::map<std::string, std::string>;

/// Why this program cannot rely on the copies of `existing`, each with its remedy: a strategy that
/// knows no datacenters, or no copy in `datacenter`, whose quorum every write asks. Pure.
std::vector<std::string> compare_replication(
    std::string_view keyspace, std::string_view datacenter, const KeyspaceReplication& existing
);

/// The same of the keyspace of a region, which is that of `datacenter`; and that it has no copies
/// anywhere else: what is made of facts in another region is no other copy of what is made here.
/// Pure.
std::vector<std::string> compare_region_replication(
    std::string_view keyspace, std::string_view datacenter, const KeyspaceReplication& existing
);

/// Absent if the keyspace is not there. Blocks.
Result<std::optional<KeyspaceReplication>> existing_replication(
    Driver& driver, std::string_view keyspace
);

/// The columns of all tables of the keyspace; none if it is not there. Blocks.
Result<std::vector<ExistingColumn>> existing_columns(Driver& driver, std::string_view keyspace);

/// Where the tables are, and from where they are used.
struct KeyspaceUse {
    Keyspaces keyspaces;
    std::string datacenter;  ///< The local one.
};

/// The statements that make the keyspaces of `use`: that of all regions with the copies of
/// `replication`, that of the region with those of its datacenter alone. `invalid_input` if that
/// has none. `replication` is not empty. Pure.
Result<std::vector<std::string>> create_keyspaces(
    const KeyspaceUse& use, const storage::Replication& replication
);

/// Everything in which keyspaces that are there, or not, differ from what `use` needs. Blocks.
Result<SchemaDifferences> compare_keyspaces(
    Driver& driver, std::span<const storage::Table* const> tables, const KeyspaceUse& use
);

/// Makes what is missing: keyspaces (`conflict` if `replication` is empty; as create_keyspaces),
/// tables, columns; the statements that were run. Changes nothing that is there: `conflict` if
/// something is another.
/// Blocks; one process at a time, for two that change the schema at once may disagree for good.
Result<std::vector<std::string>> apply_schema(
    Driver& driver,
    std::span<const storage::Table* const> tables,
    const KeyspaceUse& use,
    const storage::Replication& replication
);

/// Success when all is as declared; else `conflict`, naming the first difference and the remedy.
/// Blocks.
Result<void> check_schema(
    Driver& driver, std::span<const storage::Table* const> tables, const KeyspaceUse& use
);

}  // namespace footfall::storage_cassandra
