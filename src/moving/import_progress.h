#pragma once

#include "foundation/result.h"
#include "storage/store.h"
#include "storage/table.h"

#include <cstdint>
#include <optional>
#include <string>

namespace footfall::moving {

/// How far an import into this store has come; no part of an export. In the store itself, so that
/// it goes where the rows go, and with them.
inline const storage::Table import_progress_table{
    .name = "import_progress",
    .purpose = "How far the import of an export into this store has come.",
    .partition = {{"name", storage::ColumnType::text}},
    .clustering = {},
    .values =
        {{"export", storage::ColumnType::text},
         {"phase", storage::ColumnType::text},
         {"table", storage::ColumnType::integer},
         {"offset", storage::ColumnType::integer},
         {"rows", storage::ColumnType::integer}}
};

struct ImportProgress {
    enum class Phase { rows, verify, done };

    std::string export_id;  ///< Which export.
    Phase phase = Phase::rows;
    std::uint64_t table = 0;   ///< Of those of its manifest.
    std::uint64_t offset = 0;  ///< In the table's file: a block begins there; 0: at its first.
    std::uint64_t rows = 0;    ///< So many are in the store for certain.
};

/// Absent where nothing was ever imported. Blocks.
Result<std::optional<ImportProgress>> read_progress(storage::Store& store);

/// Returns when it is durable.
Result<void> write_progress(storage::Store& store, const ImportProgress& progress);

/// `conflict` while an import into this store is not finished: it must not be served, nor exported.
/// Blocks.
Result<void> check_whole(storage::Store& store);

}  // namespace footfall::moving
