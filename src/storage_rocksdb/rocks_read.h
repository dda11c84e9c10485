#pragma once

#include "foundation/result.h"
#include "storage/store.h"
#include "storage_rocksdb/database.h"
#include "storage_rocksdb/pending_rows.h"

#include <optional>
#include <span>
#include <vector>

namespace footfall::storage_rocksdb {

/// Whether a read may wait for the disk.
enum class Waiting { allowed, refused };

/// The rows with these keys, with one MultiGet. Blocks on the disk.
Result<storage::Found> read_keys(
    Database& database,
    const PendingRows& pending,
    const storage::Table& table,
    std::span<const std::vector<storage::Value>> keys
);

/// One page of a partition: what waits in memory, over what stands in files, both as of one moment.
/// Absent when it would have to wait and may not.
std::optional<Result<storage::Page>> read_page(
    Database& database,
    const PendingRows& pending,
    const storage::RangeQuery& query,
    Waiting waiting
);

}  // namespace footfall::storage_rocksdb
