#pragma once

#include "foundation/result.h"
#include "storage/store.h"
#include "storage_rocksdb/database.h"

#include <span>
#include <vector>

namespace footfall::storage_rocksdb {

/// The rows with these keys, with one MultiGet. Blocks on the disk.
Result<storage::Found> read_keys(
    Database& database,
    const storage::Table& table,
    std::span<const std::vector<storage::Value>> keys
);

/// One page of a partition. Blocks on the disk.
Result<storage::Page> read_page(Database& database, const storage::RangeQuery& query);

}  // namespace footfall::storage_rocksdb
