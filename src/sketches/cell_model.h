#pragma once

#include "sketches/ell.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

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

    /// Of the 2^16 slots a symbol has so many, from its start on.
    struct Symbol {
        std::uint32_t start = 0;
        std::uint32_t size = 0;
        std::uint64_t inverse =
            0;  ///< For the encoder to divide by the size with; 0: not known yet.
    };

    CellModel(unsigned code, unsigned precision);

    /// Of a register's newest value.
    Symbol& newest(unsigned value) { return newest_.symbols[value]; }

    /// What is found in a slot.
    struct Found {
        unsigned value;  ///< The newest; of cells the bits.
        const Symbol& symbol;
    };

    Found newest_at(std::uint32_t slot) const { return newest_.at(slot); }

    /// Of the `count` cells of an octave that lie in the window: `bits` are set. Of none the one
    /// symbol has all slots, and takes no room.
    Symbol& cells(unsigned octave, unsigned count, unsigned bits) {
        return cells_of(octave, count).symbols[bits];
    }

    Found cells_at(unsigned octave, unsigned count, std::uint32_t slot) {
        return cells_of(octave, count).at(slot);
    }

private:
    template <std::size_t count>
    struct Symbols {
        static constexpr unsigned guide_bits = 7;

        /// Once all symbols have their start and size.
        void finish() {
            unsigned symbol = 0;
            for (std::uint32_t at = 0; at < guide.size(); ++at) {
                symbol = from(symbol, at << (chance_bits - guide_bits));
                guide[at] = static_cast<std::uint8_t>(symbol);
            }
        }

        Found at(std::uint32_t slot) const {
            const unsigned symbol = from(guide[slot >> (chance_bits - guide_bits)], slot);
            return {.value = symbol, .symbol = symbols[symbol]};
        }

        unsigned from(unsigned symbol, std::uint32_t slot) const {
            while (symbols[symbol].start + symbols[symbol].size <= slot) {
                ++symbol;
            }
            return symbol;
        }

        std::array<Symbol, count> symbols;
        /// The symbol of each 2^(16 - guide_bits)-th slot, where the search begins.
        std::array<std::uint8_t, 1U << guide_bits> guide;
    };

    static constexpr unsigned octaves = 64 - lowest_precision;

    using Newest = Symbols<octaves * octave_values + 1>;
    using Cells = Symbols<1U << octave_values>;

    std::uint64_t chance_unset(unsigned exponent) const;
    Cells& make(unsigned octave, unsigned count);

    Cells& cells_of(unsigned octave, unsigned count) {
        Cells* const known = cells_[octave][count].get();
        return known != nullptr ? *known : make(octave, count);
    }

    const unsigned code_;
    const unsigned precision_;
    Newest newest_;
    /// By octave and count; only those that were asked for.
    std::array<std::array<std::unique_ptr<Cells>, octave_values + 1>, octaves> cells_;
};

}  // namespace footfall::sketches
