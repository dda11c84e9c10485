#pragma once

#include <bit>
#include <cstdint>

namespace footfall::tokens {

/// The size class of a count above 0: floor(log4(count)). Coarse on purpose: an object changes its
/// class about once every fourfold growth, so keeping the directory costs next to nothing.
inline std::int64_t size_class_of(std::uint64_t count) {
    return count == 0 ? 0 : (std::bit_width(count) - 1) / 2;
}

/// The largest count in a class.
inline std::uint64_t size_class_bound(std::int64_t size_class) {
    return (std::uint64_t{1} << (2 * (size_class + 1))) - 1;
}

}  // namespace footfall::tokens
