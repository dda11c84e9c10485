#include "sketches/standard_error.h"

#include "sketches/ell.h"
#include "sketches/hash_token.h"
#include "sketches/registers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace footfall::sketches {
namespace {

// Below, x is people a register, and they come by a Poisson process: then cells are set
// independently of each other.

const double registers_count = std::ldexp(1.0, usual_precision);

double chance_of(unsigned value) {
    const unsigned exponent = exponent_of_octave(octave_of(value), usual_precision);
    return std::ldexp(1.0, -static_cast<int>(exponent));
}

/// That no value is so high that nobody knows of this one whether it was seen.
double chance_known(unsigned value, double x) {
    const std::uint64_t beyond = chance_above(value + window_bits, usual_precision);
    constexpr int unit = static_cast<int>(usual_precision) - 64;
    return std::exp(-x * std::ldexp(static_cast<double>(beyond), unit));
}

/// Variance of the likelihood's count a person. A register is read from its highest value down,
/// and where reading ends follows from what was read: so its Fisher information is the sum of what
/// each cell has, times the chance that it is read. The inverse is the variance of the rate at
/// which people came, of which the Poisson process itself has a part.
double likelihood_variance(double x) {
    double information = 0;
    for (unsigned value = 1; value <= largest_value(usual_precision); ++value) {
        const double chance = chance_of(value);
        information += chance * chance / std::expm1(x * chance) * chance_known(value, x);
    }
    return 1 / (x * information) - 1;
}

/// What a person adds to the variance of the martingale, which counts 1 / chance with this chance
/// that anything changes, else nothing.
double martingale_growth(double x) {
    double chance_of_change = 0;
    for (unsigned value = 1; value <= largest_value(usual_precision); ++value) {
        const double chance = chance_of(value);
        chance_of_change += chance * std::exp(-x * chance) * chance_known(value, x);
    }
    return 1 / chance_of_change - 1;
}

/// Standard errors, at each quarter of an octave of x.
class Curves {
public:
    using Errors = std::array<double, 97>;

    Errors likelihood{};
    Errors martingale{};

    Curves() {
        double variance = 0;  // of the martingale
        double before = 0;
        double growth_before = 0;
        for (std::size_t at = 0; at < likelihood.size(); ++at) {
            const double x = std::exp2(lowest + static_cast<double>(at) / steps);
            const double people = x * registers_count;
            likelihood[at] = std::sqrt(likelihood_variance(x) / people);
            // Simpson's rule.
            const double growth = martingale_growth(x);
            const double between = martingale_growth((before + x) / 2);
            variance += (x - before) * (growth_before + 4 * between + growth) / 6;
            martingale[at] = std::sqrt(variance / x / people);
            before = x;
            growth_before = growth;
        }
    }

    /// Below and above the errors stay as they are.
    static double at(const Errors& errors, double people) {
        constexpr double last = std::tuple_size_v<Errors> - 1;
        const double place =
            std::clamp((std::log2(people / registers_count) - lowest) * steps, 0.0, last);
        const auto index = static_cast<std::size_t>(std::min(place, last - 1));
        return std::lerp(errors[index], errors[index + 1], place - static_cast<double>(index));
    }

private:
    static constexpr double lowest = -4;
    static constexpr double steps = 4;
};

const Curves& curves() {
    static const Curves curves;
    return curves;
}

}  // namespace

double token_error(double tokens) {
    // Two have the same low bits and the same zeros with a chance of a third of 2^-26, and there
    // are n (n - 1) / 2 pairs.
    const double one_pair = std::ldexp(1.0, -static_cast<int>(token_low_bits)) / 3;
    return tokens > 1 ? std::sqrt((1 - 1 / tokens) / 2 * one_pair) : 0;
}

double likelihood_error(double people) {
    return Curves::at(curves().likelihood, people);
}

double martingale_error(double people, double exact) {
    const double whole = people * Curves::at(curves().martingale, people);
    const double spared = exact * Curves::at(curves().martingale, exact);
    return people > exact ? std::sqrt(whole * whole - spared * spared) / people : 0;
}

}  // namespace footfall::sketches
