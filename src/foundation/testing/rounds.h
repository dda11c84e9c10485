#pragma once

#include <cstdint>

namespace footfall {

/// How many of `full` rounds a random test goes, at least one: all of them, or the share that
/// FOOTFALL_ROUNDS_PERCENT (1 to 100) says. `./test` says a quarter where a sanitizer makes each
/// round slow; what many rounds are needed for is looked for in stage quick.
std::uint64_t rounds(std::uint64_t full);

}  // namespace footfall
