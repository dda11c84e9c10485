#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "storage/table.h"

#include <rocksdb/options.h>

#include <cstddef>
#include <memory>

namespace rocksdb {
class Cache;
class Status;
}  // namespace rocksdb

namespace footfall::storage_rocksdb {

/// The memory that the engine may use, shared out over all tables.
struct MemoryPlan {
    std::shared_ptr<rocksdb::Cache> block_cache;
    std::size_t write_buffers_bytes;
};

/// Shares out `budget_bytes`: half for blocks read, half for rows not yet written to a file.
MemoryPlan plan_memory(std::size_t budget_bytes);

rocksdb::DBOptions database_options(const MemoryPlan& memory, rocksdb::Env* env);

/// Options of one table's column family: filters by partition, and reclaiming of rows an hour after
/// they expired by `clock`, which must outlive the database.
rocksdb::ColumnFamilyOptions table_options(
    const storage::Table& table, const MemoryPlan& memory, const Clock& clock
);

/// The engine's version: "7.8.3".
std::string engine_version();

/// What an engine's failure means to our callers; `doing` says what was tried.
Error to_error(const rocksdb::Status& status, std::string_view doing);

}  // namespace footfall::storage_rocksdb
