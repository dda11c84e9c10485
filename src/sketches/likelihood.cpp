#include "sketches/likelihood.h"

#include <bit>
#include <cmath>
#include <limits>

namespace footfall::sketches {
namespace {

constexpr double closer_than = 1e-12;
constexpr int rounds_max = 200;

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
    int exponent = static_cast<int>(likelihood.set.size()) - 1;
    while (likelihood.set[static_cast<std::size_t>(exponent)] == 0) {
        --exponent;
    }
    double grown = std::expm1(std::ldexp(x, -exponent));
    for (; exponent >= 0 && grown < beyond; --exponent) {
        if (const double count = likelihood.set[static_cast<std::size_t>(exponent)]; count > 0) {
            const double term = std::ldexp(count, -exponent) / grown;
            sum += term;
            slope -= std::ldexp(term, -exponent) * (grown + 1) / grown;
        }
        grown *= grown + 2;  // exp(2y) - 1 from exp(y) - 1
    }
    return {.difference = sum - alpha, .slope = slope};
}

}  // namespace

Likelihood Likelihood::of_registers(std::span<const Register> registers, unsigned precision) {
    Likelihood likelihood{.registers = static_cast<double>(registers.size())};
    for (const Register cells : registers) {
        const unsigned newest = newest_value(cells);
        likelihood.unset += chance_above(newest, precision);
        if (newest == 0) {
            continue;
        }
        ++likelihood.set[exponent_of_octave(octave_of(newest), precision)];
        for_each_octave(newest, [&](unsigned octave, unsigned first, unsigned count) {
            const unsigned exponent = exponent_of_octave(octave, precision);
            const auto set = static_cast<unsigned>(std::popcount(cells_at(cells, first, count)));
            likelihood.set[exponent] += set;
            likelihood.unset += std::uint64_t{count - set} << (64 - precision - exponent);
        });
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
    double chances = 0;
    for (std::size_t exponent = 0; exponent < likelihood.set.size(); ++exponent) {
        const double count = likelihood.set[exponent];
        cells += count;
        chances += std::ldexp(count, -static_cast<int>(exponent));
    }
    if (cells == 0) {
        return 0;
    }
    if (likelihood.unset == 0) {
        return std::numeric_limits<double>::infinity();
    }
    const double alpha =
        std::ldexp(static_cast<double>(likelihood.unset), -64) * likelihood.registers;
    double x = cells / (alpha + chances / 2);  // below the zero, for y / (exp(y) - 1) > 1 - y / 2
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
