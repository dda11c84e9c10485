#pragma once

#include "foundation/result.h"
#include "storage/table.h"

#include <map>
#include <string>
#include <string_view>

namespace footfall::storage {

/// The statement that makes `table` in a Cassandra 5.0 keyspace, derived from its declaration, for
/// `footfall schema` and for the distributed store. Pure; the same text for the same declaration,
/// without the closing semicolon. docs/decisions/0005-tables-as-data.md says why tables are data.
std::string create_table_cql(const Table& table, std::string_view keyspace);

/// How many copies of each row every datacenter keeps, by its name.
using Replication = std::map<std::string, int>;

/// From "dc1:3,dc2:1"; `invalid_input` says what is expected. Empty: none.
Result<Replication> parse_replication(std::string_view text);

/// The statement that makes the keyspace all tables lie in.
std::string create_keyspace_cql(std::string_view keyspace, const Replication& replication);

/// The statement that adds a column which a table of an older version has not.
std::string add_column_cql(const Table& table, const Column& column, std::string_view keyspace);

/// The type a column has in CQL, such as "bigint".
std::string_view cql_type(ColumnType type);

/// A name as CQL takes it whatever it means there: in double quotes. Names are lower_case
/// (check_table), so the quotes change none.
std::string quoted_cql(std::string_view name);

}  // namespace footfall::storage
