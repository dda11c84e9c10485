#pragma once

#include "foundation/clock.h"
#include "storage/forgotten_records.h"
#include "storage/table.h"

#include <rocksdb/compaction_filter.h>

#include <memory>

namespace footfall::storage_rocksdb {

/// Which rows of a table the engine drops when it merges files: those that expired more than an
/// hour ago, or, of a table `of_record`, those of forgotten records. Null: it drops none. All must
/// outlive the database.
std::shared_ptr<rocksdb::CompactionFilterFactory> dropped_rows(
    const storage::Table& table, const Clock& clock, const storage::ForgottenRecords& forgotten
);

}  // namespace footfall::storage_rocksdb
