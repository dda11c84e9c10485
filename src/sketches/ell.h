#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

/// The arithmetic of ExaLogLog with t = 2 and d = 24 (Ertl, "ExaLogLog: Space-Efficient and
/// Practical Approximate Distinct Counting up to the Exa-Scale", EDBT 2025, arXiv 2402.13726).
///
/// A hash names one of 2^precision registers and an update value from 1 to largest_value(): the
/// larger, the rarer. A register is a row of cells, one for each value; a cell is set once its
/// value was seen. It keeps the largest value seen and which of the 24 below it were, in 32 bits;
/// cells further below count as set, or rather: nobody knows. All functions are pure.
namespace footfall::sketches {

inline constexpr unsigned mantissa_bits = 2;  ///< t: values in an octave have the same chance.
inline constexpr unsigned window_bits = 24;   ///< d.
inline constexpr unsigned octave_values = 1U << mantissa_bits;
inline constexpr unsigned lowest_precision = 4;
inline constexpr unsigned highest_precision = 16;

/// The largest value seen above 24 bits, of which bit 24 - j tells whether the value j below was
/// seen. 0: empty.
using Register = std::uint32_t;

inline constexpr Register window_mask = (Register{1} << window_bits) - 1;

struct Update {
    std::uint32_t index = 0;  ///< Of the register.
    std::uint32_t value = 0;
};

constexpr Update update_of(std::uint64_t hash, unsigned precision) {
    const unsigned low_bits = precision + mantissa_bits;
    const auto zeros =
        static_cast<unsigned>(std::countl_zero(hash | ((std::uint64_t{1} << low_bits) - 1)));
    const auto mantissa = static_cast<std::uint32_t>(hash & (octave_values - 1));
    return {
        .index = static_cast<std::uint32_t>(
            hash >> mantissa_bits & ((std::uint64_t{1} << precision) - 1)
        ),
        .value = zeros * octave_values + mantissa + 1
    };
}

constexpr unsigned largest_value(unsigned precision) {
    return (63 - precision) * octave_values;
}

/// Values from 1 on: four in each octave.
constexpr unsigned octave_of(unsigned value) {
    return (value - 1) / octave_values;
}

/// e(k): a hash that names the register has this value with a chance of 2^-e.
constexpr unsigned exponent_of_octave(unsigned octave, unsigned precision) {
    return std::min(mantissa_bits + 1 + octave, 64 - precision);
}

constexpr unsigned newest_value(Register cells) {
    return cells >> window_bits;
}

/// The register once `value` was seen.
constexpr Register with_value(Register cells, unsigned value) {
    const unsigned newest = newest_value(cells);
    if (value > newest) {
        const unsigned shift = value - newest;
        const Register window =
            shift <= window_bits ? ((Register{1} << window_bits) | (cells & window_mask)) >> shift
                                 : 0;
        return value << window_bits | window;
    }
    const unsigned below = newest - value;
    return below == 0 || below > window_bits ? cells : cells | Register{1} << (window_bits - below);
}

/// The register once all that either has seen was seen.
constexpr Register united(Register left, Register right) {
    const Register higher = std::max(left, right);
    const Register lower = std::min(left, right);
    constexpr unsigned longest_shift = 31;
    const unsigned shift = std::min(newest_value(higher) - newest_value(lower), longest_shift);
    const Register seen = (Register{1} << window_bits) | (lower & window_mask);
    return higher | (seen >> shift & window_mask);
}

/// The chance of a value above `newest`, in units of 2^(precision - 64).
constexpr std::uint64_t chance_above(unsigned newest, unsigned precision) {
    if (newest >= largest_value(precision)) {
        return 0;
    }
    const unsigned octave = newest / octave_values;
    const unsigned seen = newest % octave_values;
    return (std::uint64_t{1} << (64 - precision - octave)) -
           (std::uint64_t{seen} << (64 - precision - exponent_of_octave(octave, precision)));
}

/// Calls `take(octave, first, count)` for each octave of the window below `newest`, from the
/// lowest: `count` bits of the register from bit `first` on are its cells of that octave.
template <class Take>
constexpr void for_each_octave(unsigned newest, const Take& take) {
    for (unsigned low = newest > window_bits ? newest - window_bits : 1; low < newest;) {
        const unsigned octave = octave_of(low);
        const unsigned end = std::min((octave + 1) * octave_values + 1, newest);
        take(octave, low + window_bits - newest, end - low);
        low = end;
    }
}

constexpr unsigned cells_at(Register cells, unsigned first, unsigned count) {
    return cells >> first & ((1U << count) - 1);
}

/// The chance that a hash which names the register changes it, in units of 2^(precision - 64).
constexpr std::uint64_t chance_of_change(Register cells, unsigned precision) {
    const unsigned newest = newest_value(cells);
    std::uint64_t chance = chance_above(newest, precision);
    for_each_octave(newest, [&](unsigned octave, unsigned first, unsigned count) {
        const unsigned set = static_cast<unsigned>(std::popcount(cells_at(cells, first, count)));
        chance += std::uint64_t{count - set}
                  << (64 - precision - exponent_of_octave(octave, precision));
    });
    return chance;
}

}  // namespace footfall::sketches
