#pragma once

#include "storage/table.h"

#include <string>
#include <string_view>

namespace footfall::storage {

/// The statement that makes `table` in a Cassandra 5.0 keyspace, derived from its declaration, for
/// `footfall schema` and for the distributed store. Pure; the same text for the same declaration,
/// without the closing semicolon. docs/decisions/0005-tables-as-data.md says why tables are data.
std::string create_table_cql(const Table& table, std::string_view keyspace);

}  // namespace footfall::storage
