#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "moving/manifest.h"
#include "moving/tally.h"
#include "storage/store.h"

#include <cstdint>
#include <filesystem>
#include <functional>

namespace footfall::moving {

/// What a table holds beside what an export says, of the rows that had not expired when it was
/// looked at: expired ones a store may drop. `corrupt` when the file is not the one the manifest
/// speaks of.
struct Verified {
    Tally expected;
    Tally found;

    bool equal() const { return expected == found; }
};

/// Reads a table of the store and the file of an export that it should be equal to. `observe` is
/// called with the rows read of a page. A table whose rows expire and whose reading took longer
/// than an hour is read again, for the rows that outlive the reading. Blocks.
Result<Verified> verify_table(
    storage::Store& store,
    const storage::Table& table,
    const std::filesystem::path& directory,
    const Tally& said,
    const Clock& clock,
    const std::function<void(std::uint64_t)>& observe
);

}  // namespace footfall::moving
