#pragma once

#include <cstdint>

namespace footfall::test_support {

/// FOOTFALL_SEED of the environment, else a new one. Printed, so that a failure can be replayed.
std::uint64_t random_seed();

/// A number of the environment, else `otherwise`.
std::uint64_t environment_number(const char* name, std::uint64_t otherwise);

}  // namespace footfall::test_support
