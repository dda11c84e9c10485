#pragma once

#include "erasure/ledger.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "storage/store.h"

#include <cstddef>
#include <filesystem>

namespace footfall::deployment {

/// Takes over the ledger of a newer export of the same deployment into a store that an older one
/// was imported into, so that who was erased in between does not come back: the next server erases
/// them before it answers. Answers how many ids the ledger of the export has. `conflict`: it is of
/// another deployment, or of a newer version. Blocks; nobody else may use the store.
Result<std::size_t> restore_erasures(
    storage::Store& store, const std::filesystem::path& newer_export, const Clock& clock
);

}  // namespace footfall::deployment
