#include "sketches/cell_model.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace footfall::sketches {
namespace {

constexpr std::uint64_t one = std::uint64_t{1} << 32;  ///< Chances in here are in units of 2^-32.
constexpr unsigned steps = 16;                         ///< Of x, in an octave.
constexpr int lowest_code = -256;                      ///< x = 2^-16 is code 0.
// Below y = 2^-34 a chance of exp(-y) is 1, above 2^5 it is 0.
constexpr int lowest_step = -34 * static_cast<int>(steps);
constexpr int highest_step = 5 * static_cast<int>(steps);

constexpr std::uint64_t times(std::uint64_t left, std::uint64_t right) {
    return left * right >> 32;  // neither is above 2^32, and if both are the product is 2^64
}

/// exp(-y), by its series for a small part of y, squared as often as need be.
constexpr double exp_of_minus(double y) {
    int halvings = 0;
    while (y > 0x1p-4) {
        y /= 2;
        ++halvings;
    }
    double sum = 1;
    double term = 1;
    for (int at = 1; at < 12; ++at) {
        term *= -y / at;
        sum += term;
    }
    for (; halvings > 0; --halvings) {
        sum *= sum;
    }
    return sum;
}

/// exp(-2^(step / 16)) for each step.
constexpr auto make_chances() {
    constexpr double ratio = 1.0442737824274138;  // 2^(1/16)
    std::array<std::uint32_t, highest_step - lowest_step + 1> chances{};
    double octave = 1;
    for (int at = 0; at > lowest_step; at -= static_cast<int>(steps)) {
        octave /= 2;
    }
    double y = octave;
    for (std::size_t at = 0; at < chances.size(); ++at) {
        if (at % steps == 0) {
            y = octave;
            octave *= 2;
        }
        chances[at] = static_cast<std::uint32_t>(exp_of_minus(y) * 0x1p32);
        y *= ratio;
    }
    return chances;
}

constexpr auto chances = make_chances();

/// The start of a symbol of `symbols`, before which all others come with a chance of `before`: each
/// has a chance of at least one unit, however unlikely.
std::uint32_t start_of(std::uint64_t before, unsigned symbol, unsigned symbols) {
    const std::uint64_t shared = (1U << CellModel::chance_bits) - symbols;
    return static_cast<std::uint32_t>((before * shared >> 32) + symbol);
}

/// Each ends where the next one starts, the last with the slots.
void set_sizes(std::span<CellModel::Symbol> symbols) {
    std::uint32_t end = 1U << CellModel::chance_bits;
    for (auto symbol = symbols.rbegin(); symbol != symbols.rend(); ++symbol) {
        symbol->size = end - symbol->start;
        end = symbol->start;
    }
}

}  // namespace

unsigned CellModel::code_of(double x) {
    const double code = std::round(steps * std::log2(x)) - lowest_code;
    return static_cast<unsigned>(std::clamp(code, 0.0, double{code_max}));
}

CellModel::CellModel(unsigned code, unsigned precision) : code_{code}, precision_{precision} {
    const unsigned largest = largest_value(precision);
    const auto set_start = [&](unsigned value, std::uint64_t before) {
        newest_.symbols[value].start = start_of(before, value, largest + 1);
    };
    std::uint64_t at_most = 0;
    for (unsigned value = 0; value <= largest; ++value) {
        set_start(value, at_most);
        std::uint64_t chance = one;
        if (value < largest) {
            const unsigned exponent = exponent_of_octave(value / octave_values, precision);
            const std::uint64_t unset = chance_unset(exponent);
            const std::uint64_t cells =
                chance_above(value, precision) >> (64 - precision - exponent);
            for (std::uint64_t cell = 0; cell < cells; ++cell) {
                chance = times(chance, unset);
            }
        }
        at_most = std::max(at_most, chance);  // rounding must not make it fall
    }
    set_sizes(std::span{newest_.symbols}.first(largest + 1));
    newest_.finish();
}

/// That a cell of this exponent was not seen.
std::uint64_t CellModel::chance_unset(unsigned exponent) const {
    const int step = static_cast<int>(code_) + lowest_code - static_cast<int>(steps * exponent);
    if (step < lowest_step) {
        return one - 1;
    }
    return step > highest_step ? 0 : chances[static_cast<std::size_t>(step - lowest_step)];
}

CellModel::Cells& CellModel::make(unsigned octave, unsigned count) {
    auto cells = std::make_unique<Cells>();
    const unsigned symbols = 1U << count;
    const std::uint64_t unset = chance_unset(exponent_of_octave(octave, precision_));
    std::uint64_t before = 0;
    for (unsigned bits = 0; bits < symbols; ++bits) {
        cells->symbols[bits].start = start_of(before, bits, symbols);
        std::uint64_t chance = one;
        for (unsigned cell = 0; cell < count; ++cell) {
            chance = times(chance, (bits >> cell & 1) != 0 ? one - unset : unset);
        }
        before = std::min(before + chance, one);
    }
    set_sizes(std::span{cells->symbols}.first(symbols));
    cells->finish();
    return *(cells_[octave][count] = std::move(cells));
}

}  // namespace footfall::sketches
