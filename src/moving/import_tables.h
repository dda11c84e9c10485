#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "moving/manifest.h"
#include "moving/verify_table.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace footfall::moving {

struct ImportOptions {
    std::filesystem::path directory;
    std::size_t checkpoint_bytes = 8
                                   << 20;  ///< Of rows; also how much is done again after a crash.
    /// Called now and then with how many rows were written, then read again, so far.
    std::function<void(std::uint64_t)> observe = [](std::uint64_t) {};
};

struct ImportedTable {
    std::string name;
    std::uint64_t rows = 0;  ///< Of the export.
    Verified verified;
};

struct Imported {
    std::vector<ImportedTable> tables;
    std::uint64_t resumed_rows = 0;  ///< So many an earlier run had written already.
    bool was_done = false;           ///< An earlier run had finished; nothing was done.

    bool equal() const;
};

/// Writes all rows of an export into an empty store, and then holds what the store has against the
/// files: counts and checksums of each table.
///
/// Killed or failed, it goes on where it was when it is called again; what it did stands in the
/// store (ImportProgress). `conflict` when the store has rows of anything else, or the export is of
/// tables that this program has not. A table that is not equal afterwards is no failure: see
/// Imported. Blocks. Nobody else may write to the store until it is done.
Result<Imported> import_tables(
    storage::Store& store,
    std::span<const storage::Table* const> tables,
    const Clock& clock,
    const ImportOptions& options
);

}  // namespace footfall::moving
