#pragma once

#include "foundation/result.h"
#include "storage/cql_schema.h"
#include "storage/table.h"
#include "storage_cassandra/driver.h"

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

/// What must be done to what `existing` says, so that it is as declared: makes tables and adds
/// value columns. `conflict` when a column is there and is another one: that is for a person. Pure.
Result<std::vector<std::string>> missing_cql(
    std::span<const storage::Table* const> tables,
    std::string_view keyspace,
    std::span<const ExistingColumn> existing
);

/// The columns of all tables of the keyspace. Blocks.
Result<std::vector<ExistingColumn>> existing_columns(Driver& driver, std::string_view keyspace);

/// Makes what is missing: the keyspace, tables, columns. Changes nothing that is there. Blocks; one
/// process at a time, for two that change the schema at once may disagree for good.
Result<void> apply_schema(
    Driver& driver,
    std::span<const storage::Table* const> tables,
    std::string_view keyspace,
    const storage::Replication& replication
);

/// Success when all is as declared; else `conflict`, naming what is missing. Blocks.
Result<void> check_schema(
    Driver& driver, std::span<const storage::Table* const> tables, std::string_view keyspace
);

}  // namespace footfall::storage_cassandra
