#include "sketches/likelihood.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

namespace footfall::sketches {
namespace {

constexpr double closer_than = 1e-12;
constexpr int rounds_max = 200;

/// 2^-j.
constexpr auto exponent_chances = [] {
    std::array<double, std::tuple_size_v<decltype(Likelihood::set)>> powers{};
    double power = 1;
    for (double& each : powers) {
        each = power;
        power /= 2;
    }
    return powers;
}();

/// Both sides of equation 12 of the paper at x, and the slope of their difference.
struct Point {
    double difference;
    double slope;
};

/// sum_j set_j 2^-j / (exp(x 2^-j) - 1) - alpha, whose zero is looked for: it falls, and the more
/// slowly the further, so Newton's method comes from below and never passes it.
Point point_at(double x, const Likelihood& likelihood, double alpha) {
    // Beyond this exp(x 2^-j) - 1 is so large that its terms no longer matter.
    constexpr double beyond = 1e140;
    double sum = 0;
    double slope = 0;
    std::size_t exponent = likelihood.set.size() - 1;
    while (likelihood.set[exponent] == 0) {
        --exponent;
    }
    double chance = exponent_chances[exponent];
    double grown = std::expm1(x * chance);
    for (;; --exponent) {
        if (const double count = likelihood.set[exponent]; count > 0) {
            const double term = count * chance / grown;
            sum += term;
            slope -= term * chance * (grown + 1) / grown;
        }
        grown *= grown + 2;  // exp(2y) - 1 from exp(y) - 1
        chance *= 2;
        if (exponent == 0 || grown >= beyond) {
            break;
        }
    }
    return {.difference = sum - alpha, .slope = slope};
}

/// Each of 8 groups of 4 bits becomes how many of them are set.
constexpr std::uint32_t set_of_groups(std::uint32_t bits) {
    bits -= bits >> 1 & 0x55555555;
    return (bits & 0x33333333) + (bits >> 2 & 0x33333333);
}

/// Every second group of 4 bits, each in 16 bits of its own.
constexpr std::uint64_t spread(std::uint64_t groups) {
    groups &= 0x0f0f0f0f;
    groups = (groups | groups << 16) & 0x0000ffff0000ffff;
    return (groups | groups << 8) & 0x00ff00ff00ff00ff;
}

/// Counts cells of registers without a look at single cells: the window of a register with its
/// newest value above it, shifted so that octaves begin at every fourth bit, is seven octaves,
/// whose counts are added in lanes of 16 bits.
class CellCounts {
public:
    /// More could overflow a lane.
    static constexpr std::size_t registers_max = std::size_t{1} << 13;

    void take(std::span<const Register> registers) {
        for (const Register cells : registers) {
            const unsigned newest = newest_value(cells);
            ++newest_[newest];
            // Value 0, which counts as seen, and those below fall into octaves that are not asked.
            const std::uint32_t window = (cells & window_mask) | (Register{1} << window_bits);
            const unsigned place = newest + octave_values - 1;
            const std::uint32_t set = set_of_groups(window << place % octave_values);
            Lanes& lanes = lanes_[place / octave_values];
            lanes.even += spread(set);
            lanes.odd += spread(set >> 4);
        }
    }

    void add_to(Likelihood& likelihood, unsigned precision) const {
        for (unsigned place = 0; place < lanes_.size(); ++place) {
            for (unsigned group = 0; group < window_octaves; ++group) {
                const std::uint64_t lanes = group % 2 == 0 ? lanes_[place].even : lanes_[place].odd;
                const auto set = static_cast<std::uint32_t>(lanes >> group / 2 * 16 & 0xffff);
                if (set > 0 && place + group >= window_octaves) {
                    const unsigned octave = place + group - window_octaves;
                    const unsigned exponent = exponent_of_octave(octave, precision);
                    likelihood.set[exponent] += set;
                    likelihood.unset -= std::uint64_t{set} << (64 - precision - exponent);
                }
            }
        }
        for (unsigned newest = 0; newest < newest_.size(); ++newest) {
            if (newest_[newest] > 0) {
                // Of the newest value, those in its window, and all above.
                const unsigned below = newest > window_bits ? newest - window_bits - 1 : 0;
                likelihood.unset += newest_[newest] * chance_above(below, precision);
            }
        }
    }

private:
    /// An octave more than fits: a window need not begin with one.
    static constexpr unsigned window_octaves = window_bits / octave_values + 1;

    struct Lanes {
        std::uint64_t even = 0;  ///< Of octaves 0, 2, 4 and 6.
        std::uint64_t odd = 0;
    };

    std::array<std::uint32_t, 256> newest_{};
    std::array<Lanes, 256 / octave_values + 1> lanes_{};
};

}  // namespace

Likelihood Likelihood::of_registers(std::span<const Register> registers, unsigned precision) {
    Likelihood likelihood{.registers = static_cast<double>(registers.size())};
    while (!registers.empty()) {
        const std::size_t some = std::min(registers.size(), CellCounts::registers_max);
        CellCounts counts;
        counts.take(registers.first(some));
        counts.add_to(likelihood, precision);
        registers = registers.subspan(some);
    }
    return likelihood;
}

Likelihood Likelihood::of_tokens(std::span<const HashToken> tokens) {
    // As registers of one bit a cell: one for each pattern of the low bits, one cell for each
    // number of zeros above them.
    Likelihood likelihood{.registers = std::ldexp(1.0, token_low_bits)};
    for (const HashToken token : tokens) {
        const unsigned exponent = std::min(token_zeros(token) + 1, token_zeros_max);
        ++likelihood.set[exponent];
        likelihood.unset -= std::uint64_t{1} << (token_zeros_max - exponent);  // modulo 2^64
    }
    return likelihood;
}

double most_likely(const Likelihood& likelihood) {
    double cells = 0;
    double seen = 0;
    for (std::size_t exponent = 0; exponent < likelihood.set.size(); ++exponent) {
        const double count = likelihood.set[exponent];
        cells += count;
        seen += count * exponent_chances[exponent];
    }
    if (cells == 0) {
        return 0;
    }
    if (likelihood.unset == 0) {
        return std::numeric_limits<double>::infinity();
    }
    const double alpha =
        std::ldexp(static_cast<double>(likelihood.unset), -64) * likelihood.registers;
    double x = cells / (alpha + seen / 2);  // below the zero, for y / (exp(y) - 1) > 1 - y / 2
    for (int round = 0; round < rounds_max; ++round) {
        const Point point = point_at(x, likelihood, alpha);
        const double next = x - point.difference / point.slope;
        if (!(next > x * (1 + closer_than))) {
            break;
        }
        x = next;
    }
    return x * likelihood.registers;
}

double estimate(const Likelihood& likelihood) {
    return most_likely(likelihood) / (1 + bias_constant / likelihood.registers);
}

}  // namespace footfall::sketches
