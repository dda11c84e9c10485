#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "storage/forgotten_records.h"
#include "storage/table.h"
#include "storage_rocksdb/pending_rows.h"

#include <rocksdb/options.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace rocksdb {
class Cache;
class Status;
}  // namespace rocksdb

namespace footfall::storage_rocksdb {

/// The memory of the store, shared out; and whether files are compressed.
struct MemoryPlan {
    std::shared_ptr<rocksdb::Cache> block_cache;  ///< Blocks, indexes and filters read from files.
    PendingRows::Limits pending;                  ///< Bulk rows that wait for their files.
    std::size_t block_buffer_bytes;  ///< The engine's copy of the blocks of those rows.
    std::size_t table_buffer_bytes;  ///< Rows of each ordinary table that stand in no file yet.
    bool compress = true;            ///< What is written to files.
    bool keep_past_logs = false;     ///< What the engine is done with stays (PastLogs).
};

/// Shares out `budget_bytes`: four tenths for what is read, four for bulk rows that wait, two for
/// the engine's write buffers. A generation of bulk rows is a third of what may wait: while one is
/// written another one fills, and a third of the limit is left for when writing is slow.
MemoryPlan plan_memory(std::size_t budget_bytes);

/// Options of the whole database. `env` must outlive it.
rocksdb::DBOptions database_options(
    const MemoryPlan& memory, std::shared_ptr<rocksdb::Logger> log, rocksdb::Env* env
);

/// Options of one table's column family: filters by partition, and rows that go by themselves
/// (dropped_rows()). `clock` and `forgotten` must outlive the database.
rocksdb::ColumnFamilyOptions table_options(
    const storage::Table& table,
    const MemoryPlan& memory,
    const Clock& clock,
    const storage::ForgottenRecords& forgotten
);

/// With more files of a bulk table than this that wait to be merged, the next ones wait.
std::uint64_t waiting_files_max(const storage::Table& table);

/// Options of the column family of blocks.
rocksdb::ColumnFamilyOptions block_options(const MemoryPlan& memory);

/// Options of the column family in which the store says of itself what changes with every block.
rocksdb::ColumnFamilyOptions own_options();

/// For walks over rows of tables. Nobody erases ranges of them, and saying so is more than speed:
/// where the engine (7.8.3) looks for erased ranges it forgets that it could not read the beginning
/// of a file that is not the first of its level, and ends the walk as if there were no more rows.
rocksdb::ReadOptions walk_options();

/// The engine's version: "7.8.3".
std::string engine_version();

/// What an engine's failure means to our callers; `doing` says what was tried. Damage comes with
/// the remedy.
Error to_error(const rocksdb::Status& status, std::string_view doing);

}  // namespace footfall::storage_rocksdb
