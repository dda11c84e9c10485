#pragma once

#include <bit>
#include <cstdint>

/// What is kept of a hash while there are few: 32 bits, from which every sketch of a precision up
/// to 24 can be made as if from the hash itself (section 5 of the ExaLogLog paper, v = 26).
namespace footfall::sketches {

using HashToken = std::uint32_t;

inline constexpr unsigned token_low_bits = 26;
inline constexpr unsigned token_zeros_bits = 6;
/// Leading zeros are counted in the bits above the low ones.
inline constexpr unsigned token_zeros_max = 64 - token_low_bits;

constexpr HashToken token_of(std::uint64_t hash) {
    constexpr std::uint64_t low_mask = (std::uint64_t{1} << token_low_bits) - 1;
    const auto zeros = static_cast<HashToken>(std::countl_zero(hash | low_mask));
    return static_cast<HashToken>(hash & low_mask) << token_zeros_bits | zeros;
}

constexpr unsigned token_zeros(HashToken token) {
    return token & ((1U << token_zeros_bits) - 1);
}

/// A hash that stands for all those of this token.
constexpr std::uint64_t hash_of(HashToken token) {
    const std::uint64_t low = token >> token_zeros_bits;
    const unsigned zeros = token_zeros(token);
    return zeros < token_zeros_max ? low | std::uint64_t{1} << (63 - zeros) : low;
}

}  // namespace footfall::sketches
