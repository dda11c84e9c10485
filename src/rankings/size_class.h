#pragma once

#include <bit>
#include <cstdint>

namespace footfall::rankings {

/// The size class of a number above 0: floor(log4(number)); of 0: -1. Coarse on purpose: an object
/// comes into the next one once every fourfold growth.
constexpr int size_class_of(std::uint64_t number) {
    return number == 0 ? -1 : static_cast<int>(std::bit_width(number) - 1) / 2;
}

/// Of any number.
inline constexpr int top_size_class = 31;

/// The largest number of a class; of class -1: 0.
constexpr std::uint64_t most_in_class(int size_class) {
    return size_class >= top_size_class ? ~std::uint64_t{0}
                                        : (std::uint64_t{1} << (2 * (size_class + 1))) - 1;
}

}  // namespace footfall::rankings
