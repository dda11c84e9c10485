#pragma once

#include "sketches/ell.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace footfall::sketches {

/// What a register probably looks like, for the coder: with x people a register, its largest value
/// is at most v with a chance of exp(-x * chance of a value above v), and each cell below was seen
/// with a chance of 1 - exp(-x * chance of the cell), independent of all others.
///
/// Integers only, from one table made at compile time, so that every machine that reads a sketch
/// gets the same chances as the one that wrote it. Not thread-safe.
class CellModel {
public:
    static constexpr unsigned chance_bits = 16;  ///< Chances are in units of 2^-16, and none is 0.
    static constexpr unsigned code_max = 1023;

    /// What is written of x: sixteenths of an octave.
    static unsigned code_of(double x);

    struct Range {
        std::uint32_t start;
        std::uint32_t size;
    };

    CellModel(unsigned code, unsigned precision);

    Range newest(unsigned value) const { return range(newest_, value); }

    unsigned newest_at(std::uint32_t slot) const {
        const auto end = newest_.begin() + largest_ + 1;
        return static_cast<unsigned>(
            std::upper_bound(newest_.begin(), end, slot) - 1 - newest_.begin()
        );
    }

    /// Of the `count` cells of an octave that lie in the window: `bits` are set.
    Range cells(unsigned octave, unsigned count, unsigned bits) {
        return range(starts_of(octave, count), bits);
    }

    unsigned cells_at(unsigned octave, unsigned count, std::uint32_t slot) {
        const auto& starts = starts_of(octave, count);
        unsigned bits = 0;
        for (unsigned at = 1; at < 1U << count; ++at) {
            bits += starts[at] <= slot ? 1U : 0U;
        }
        return bits;
    }

private:
    using CellStarts = std::array<std::uint32_t, (1U << octave_values) + 1>;

    template <class Starts>
    static Range range(const Starts& starts, unsigned symbol) {
        return {.start = starts[symbol], .size = starts[symbol + 1] - starts[symbol]};
    }

    std::uint64_t chance_unset(unsigned exponent) const;
    void fill(CellStarts& starts, unsigned octave, unsigned count) const;

    const CellStarts& starts_of(unsigned octave, unsigned count) {
        std::optional<CellStarts>& starts = cells_[octave][count - 1];
        if (!starts) {
            fill(starts.emplace(), octave, count);
        }
        return *starts;
    }

    static constexpr unsigned octaves = 64 - lowest_precision;

    const unsigned code_;
    const unsigned precision_;
    const unsigned largest_;
    std::array<std::uint32_t, octaves * octave_values + 2> newest_{};
    std::array<std::array<std::optional<CellStarts>, octave_values>, octaves> cells_;
};

}  // namespace footfall::sketches
