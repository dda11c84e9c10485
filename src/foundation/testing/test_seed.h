#pragma once

#include <cstdint>

namespace footfall {

/// The seed of this run, the same each time: FOOTFALL_SEED when it is set, else a fresh one. A test
/// prints it with SCOPED_TRACE, so that a failure can be played again.
std::uint64_t test_seed();

}  // namespace footfall
