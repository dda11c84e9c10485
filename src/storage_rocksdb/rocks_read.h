#pragma once

#include "foundation/result.h"
#include "storage/store.h"
#include "storage_rocksdb/database.h"
#include "storage_rocksdb/pending_rows.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
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

/// All rows of each of these partitions, by one iterator in the order of keys. Absent: they have
/// more than some megabytes. Blocks on the disk.
std::optional<Result<storage::PartitionsFound>> read_partitions(
    Database& database,
    const PendingRows& pending,
    const storage::Table& table,
    std::span<const storage::ValueView> partitions
);

/// Where a scan goes on.
struct ScanStart {
    std::uint64_t epoch = 0;  ///< That of PendingRows when the scan began.
    std::string key = {};     ///< Of the last row answered; empty: none was.
};

/// What a continuation says; `invalid_input` if no scan of the table answered it.
Result<ScanStart> scan_start(const storage::ScanQuery& query);

/// One page of a table's files, in the order of keys, behind `start`. Blocks on the disk.
Result<storage::Page> scan_files(
    Database& database, const storage::ScanQuery& query, const ScanStart& start
);

}  // namespace footfall::storage_rocksdb
