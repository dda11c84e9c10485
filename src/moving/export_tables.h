#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "moving/manifest.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

namespace footfall::moving {

struct ExportOptions {
    std::filesystem::path directory;
    std::size_t chunk_bytes = 64 << 20;  ///< Memory; also how much is done again after a crash.
    std::size_t runs_a_level = 32;       ///< See RowRuns.
    /// Called now and then with how many rows were read or written so far.
    std::function<void(std::uint64_t)> observe = [](std::uint64_t) {};
};

struct Exported {
    Manifest manifest;
    std::uint64_t resumed_rows = 0;  ///< So many an earlier run had read already.
};

/// Writes all rows of `tables` that live now into files (docs/formats/export.md): the same rows
/// make the same files, whatever store they come from. Nobody should write to the store meanwhile,
/// or the export is of no one moment.
///
/// Killed or failed, it goes on where it was when it is called again with the same directory: from
/// the last chunk that was read, or the last 32 MiB that were written. `conflict` when the
/// directory holds anything else. Blocks. Takes twice the room of the export on the disk while it
/// runs.
Result<Exported> export_tables(
    storage::Store& store,
    std::span<const storage::Table* const> tables,
    const Clock& clock,
    const ExportOptions& options
);

}  // namespace footfall::moving
