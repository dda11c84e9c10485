#pragma once

#include "foundation/result.h"
#include "moving/manifest.h"
#include "moving/row_runs.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace footfall::moving {

/// How far an export has come: what its next run goes on from. The file `state` in its directory,
/// which is gone when the export is complete. Every file it speaks of was made durable before it.
struct ExportState {
    std::string deployment = {};
    std::int64_t as_of = 0;  ///< Rows that had expired then are left out; microseconds.
    std::vector<ExportedTable> done = {};

    // Of the table behind those that are done:
    std::string cursor = {};  ///< Where its scan goes on.
    Tally scanned = {};       ///< All rows of its runs.
    std::vector<Run> runs = {};
    bool merging = false;  ///< The scan is over.
    RowMark merged = {};   ///< Of its file, once that was begun.
};

Result<void> write_state(const std::filesystem::path& directory, const ExportState& state);

/// Absent where no export was cut short.
Result<std::optional<ExportState>> read_state(const std::filesystem::path& directory);

Result<void> remove_state(const std::filesystem::path& directory);

}  // namespace footfall::moving
