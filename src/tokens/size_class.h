#pragma once

#include "tokens/counter_config.h"

#include <bit>
#include <cstdint>

namespace footfall::tokens {

/// The size class of a count above 0: floor(log4(count)). Coarse on purpose: an object changes its
/// class about once every fourfold growth, so keeping the directory costs next to nothing.
constexpr std::int64_t size_class_of(std::uint64_t count) {
    return count == 0 ? 0 : (std::bit_width(count) - 1) / 2;
}

/// The highest class, of the largest limit a counter can have. Every object with more tokens than
/// its counter's limit stands here: how many more nobody has counted, and the limit may be another
/// after the next start.
inline constexpr std::int64_t top_size_class = size_class_of(largest_limit);

/// The largest count in a class.
constexpr std::uint64_t size_class_bound(std::int64_t size_class) {
    return (std::uint64_t{1} << (2 * (size_class + 1))) - 1;
}

}  // namespace footfall::tokens
