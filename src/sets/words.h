#pragma once

#include "sets/block.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace footfall::sets {

/// Counts bits of bitmaps in one of several ways, of which a processor may have only some. Pure.
struct BitCounter {
    std::string_view name;
    /// How many bits both have, of so many times 16. `lows`: a multiple of bit_counter_step.
    std::uint32_t (*common)(const Low* one, const Low* other, std::size_t lows);
    /// About how long it takes for two whole blocks in the cache, in ns: what it is chosen by
    /// against other ways.
    double block_ns;
};

inline constexpr std::size_t bit_counter_step = 64 / sizeof(Low);

/// The fastest that this processor has.
const BitCounter& bit_counter();

/// All that this processor has, for tests.
std::vector<BitCounter> bit_counters();

}  // namespace footfall::sets
