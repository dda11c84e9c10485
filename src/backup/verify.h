#pragma once

#include "backup/depot.h"
#include "backup/step.h"
#include "foundation/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::backup {

struct Verified {
    std::size_t backups = 0;
    std::size_t files = 0;
    std::uint64_t bytes = 0;
    std::vector<std::string> damage;  ///< File, place in it, and which backups have it.
};

/// Holds every byte of a backup to its checksums; of all whole backups of the place for "". A file
/// that several backups name is read once. `not_found`: there is no such backup. Blocks, reads
/// once.
Result<Verified> verify(Depot& depot, std::string_view name, const BeforeStep& before_step);

}  // namespace footfall::backup
