#pragma once

#include "foundation/result.h"
#include "storage_rocksdb/block.h"
#include "storage_rocksdb/stamp.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace footfall::storage_rocksdb {

/// What one record of a write-ahead log wrote.
struct LoggedBlock {
    /// Absent: the record is no block, but housekeeping of the store.
    std::optional<Stamp> stamp;
    Block rows;
};

/// Which column families a record may write to.
struct LoggedFamilies {
    const TableNumbers* tables = nullptr;
    std::uint32_t blocks = 0;    ///< Of bulk rows.
    std::uint32_t of_store = 0;  ///< What the store says of itself.
};

/// Reads a record of a write-ahead log (docs/formats/blocks.md). That blocks of bulk rows were
/// dropped, since their rows stood in files, is left out: these files are not in the log. `corrupt`
/// when it is no record of a store; `conflict` when it writes to a table that the families do not
/// have.
Result<LoggedBlock> read_logged_block(std::string_view record, const LoggedFamilies& families);

}  // namespace footfall::storage_rocksdb
