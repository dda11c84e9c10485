#pragma once

#include <algorithm>
#include <cstddef>

namespace footfall {

/// The bytes an allocation of `size` takes from the heap: glibc keeps 8 bytes beside it and rounds
/// up to 16, at least to 32. An approximation: what lies between free blocks is nobody's.
constexpr std::size_t allocated_bytes(std::size_t size) {
    return size == 0 ? 0 : std::max<std::size_t>(32, (size + 8 + 15) / 16 * 16);
}

/// The largest `size` that takes no more than what this one takes.
constexpr std::size_t usable_bytes(std::size_t size) {
    return size == 0 ? 0 : allocated_bytes(size) - 8;
}

}  // namespace footfall
