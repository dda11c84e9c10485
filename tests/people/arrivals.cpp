#include "arrivals.h"

#include "foundation/check.h"
#include "sketches/registers.h"

#include <algorithm>
#include <cmath>

namespace footfall::people {
namespace {

using sketches::largest_value;
using sketches::octave_values;
using sketches::Register;
using sketches::usual_precision;

constexpr std::size_t registers_count = std::size_t{1} << usual_precision;

unsigned exponent_of(unsigned value) {
    return sketches::exponent_of_octave(sketches::octave_of(value), usual_precision);
}

/// In units of 2^-64, of all registers.
std::uint64_t chance_of(unsigned value) {
    return std::uint64_t{1} << (64 - usual_precision - exponent_of(value));
}

/// In (0, 1].
double positive_fraction(Random& random) {
    return 1 - random.fraction();
}

}  // namespace

std::uint64_t hash_with(sketches::Update update) {
    const unsigned zeros = sketches::octave_of(update.value);
    const std::uint64_t low = std::uint64_t{update.index} << sketches::mantissa_bits |
                              ((update.value - 1) & (octave_values - 1));
    constexpr unsigned zeros_max = 64 - usual_precision - sketches::mantissa_bits;
    return zeros < zeros_max ? low | std::uint64_t{1} << (63 - zeros) : low;
}

Arrivals::Arrivals(std::span<const Register> registers)
    : registers_(registers.begin(), registers.end()), sums_(registers_count + 1) {
    CHECK(registers.size() == registers_count, "not the usual precision", registers.size());
    for (std::size_t at = 1; at <= registers_count; ++at) {
        const std::uint64_t chance =
            sketches::chance_of_change(registers_[at - 1], usual_precision);
        whole_ += chance;
        sums_[at] += chance;
        if (const std::size_t parent = at + (at & -at); parent <= registers_count) {
            sums_[parent] += sums_[at];
        }
    }
}

double Arrivals::wait(Random& random) const {
    const double chance = std::ldexp(static_cast<double>(whole_), -64);
    return 1 + std::floor(std::log(positive_fraction(random)) / std::log1p(-chance));
}

std::uint64_t Arrivals::next(Random& random) {
    std::uint64_t left = random.below(whole_);
    std::size_t index = 0;
    for (std::size_t step = registers_count; step > 0; step /= 2) {
        if (index + step <= registers_count && sums_[index + step] <= left) {
            index += step;
            left -= sums_[index];
        }
    }
    Register& cells = registers_[index];
    const unsigned newest = sketches::newest_value(cells);
    unsigned value = newest > sketches::window_bits ? newest - sketches::window_bits : 1;
    for (;; ++value) {
        CHECK(value <= largest_value(usual_precision), "no cell is left", index);
        if (sketches::with_value(cells, value) != cells) {
            if (left < chance_of(value)) {
                break;
            }
            left -= chance_of(value);
        }
    }
    const std::uint64_t before = sketches::chance_of_change(cells, usual_precision);
    cells = sketches::with_value(cells, value);
    lower(index, before - sketches::chance_of_change(cells, usual_precision));
    return hash_with({.index = static_cast<std::uint32_t>(index), .value = value});
}

void Arrivals::lower(std::size_t index, std::uint64_t by) {
    whole_ -= by;
    for (std::size_t at = index + 1; at <= registers_count; at += at & -at) {
        sums_[at] -= by;
    }
}

PoissonRegisters::PoissonRegisters(double people)
    : at_most_(largest_value(usual_precision) + 1), seen_(at_most_.size()) {
    for (unsigned value = 0; value < at_most_.size(); ++value) {
        const double above =
            std::ldexp(static_cast<double>(sketches::chance_above(value, usual_precision)), -64);
        at_most_[value] = std::exp(-people * above);
        if (value > 0) {
            seen_[value] =
                -std::expm1(-people * std::ldexp(static_cast<double>(chance_of(value)), -64));
        }
    }
}

std::vector<Register> PoissonRegisters::draw(Random& random) const {
    std::vector<Register> registers(registers_count);
    for (Register& cells : registers) {
        const auto place = std::ranges::lower_bound(at_most_, positive_fraction(random));
        const auto newest = static_cast<unsigned>(place - at_most_.begin());
        for (unsigned value = newest > sketches::window_bits ? newest - sketches::window_bits : 1;
             value < newest;
             ++value) {
            if (random.fraction() < seen_[value]) {
                cells = sketches::with_value(cells, value);
            }
        }
        cells = newest > 0 ? sketches::with_value(cells, newest) : cells;
    }
    return registers;
}

}  // namespace footfall::people
