#include "sketches/joint_likelihood.h"

#include "foundation/check.h"

#include <algorithm>
#include <cmath>

namespace footfall::sketches {
namespace {

constexpr std::size_t left_kind = 0;
constexpr std::size_t right_kind = 1;
constexpr std::size_t both_kind = 2;

unsigned lowest_known(Register cells) {
    const unsigned newest = newest_value(cells);
    return newest > window_bits ? newest - window_bits : 1;
}

/// What is known of the 64 values from some value on, the lowest bit of the first.
struct Known {
    std::uint64_t set = 0;
    std::uint64_t unset = 0;
};

constexpr unsigned known_values = 64;

/// `bits` moved up, or down.
constexpr std::uint64_t moved(std::uint64_t bits, int up) {
    constexpr int width = static_cast<int>(known_values);
    if (up <= -width || up >= width) {
        return 0;
    }
    return up >= 0 ? bits << up : bits >> -up;
}

Known known_from(Register cells, unsigned first) {
    const unsigned newest = newest_value(cells);
    const std::uint64_t window =
        newest == 0 ? 0 : (cells & window_mask) | (Register{1} << window_bits);
    const int lowest = static_cast<int>(newest) - static_cast<int>(window_bits);
    const int place = static_cast<int>(first);
    const auto known_above = static_cast<int>(lowest_known(cells));
    const std::uint64_t known =
        known_above <= place ? ~std::uint64_t{0} : moved(~std::uint64_t{0}, known_above - place);
    const std::uint64_t set = moved(window, lowest - place);
    return {.set = set, .unset = known & ~set};
}

// What two sketches say of a cell, as a sum of these.
constexpr unsigned left_set = 1;
constexpr unsigned left_unset = 2;
constexpr unsigned right_set = 4;
constexpr unsigned right_unset = 8;

/// Of each value how many cells say what.
using PairCounts = std::array<std::array<std::uint32_t, 16>, 256>;

void count_cells(Register left, Register right, PairCounts& counts) {
    const unsigned newest = std::max(newest_value(left), newest_value(right));
    for (unsigned first = std::min(lowest_known(left), lowest_known(right)); first <= newest;
         first += known_values) {
        Known in_left = known_from(left, first);
        Known in_right = known_from(right, first);
        const unsigned end = std::min(first + known_values, newest + 1);
        for (unsigned value = first; value < end; ++value) {
            const std::uint64_t said = (in_left.set & 1) | (in_left.unset & 1) << 1 |
                                       (in_right.set & 1) << 2 | (in_right.unset & 1) << 3;
            ++counts[value][said];
            in_left.set >>= 1;
            in_left.unset >>= 1;
            in_right.set >>= 1;
            in_right.unset >>= 1;
        }
    }
}

/// log(1 - exp(-rate chance)) so many times, and what it adds to slopes of all kinds that are in
/// the rate.
void add_set(
    double cells,
    double rate,
    double chance,
    std::initializer_list<std::size_t> kinds,
    JointLikelihood::At& at
) {
    if (cells == 0) {
        return;
    }
    const double grown = std::expm1(rate * chance);
    at.value += cells * std::log(-std::expm1(-rate * chance));
    const double slope = std::isinf(grown) ? 0 : chance / grown;
    const double curvature = slope * (slope + chance);
    for (const std::size_t one : kinds) {
        at.slope[one] += cells * slope;
        for (const std::size_t other : kinds) {
            at.curvature[one][other] += cells * curvature;
        }
    }
}

/// Cells that are set in both sketches: by one who is in both, or by one of each kind else.
void add_both(double cells, const OfKinds& rates, double chance, JointLikelihood::At& at) {
    if (cells == 0) {
        return;
    }
    const double left = -std::expm1(-rates[left_kind] * chance);
    const double right = -std::expm1(-rates[right_kind] * chance);
    const double nobody = std::exp(-rates[both_kind] * chance);
    const double probability = -std::expm1(-rates[both_kind] * chance) + nobody * left * right;
    const OfKinds slope{
        chance * nobody * (1 - left) * right / probability,
        chance * nobody * left * (1 - right) / probability,
        chance * nobody * (1 - left * right) / probability
    };
    at.value += cells * std::log(probability);
    for (std::size_t one = 0; one < slope.size(); ++one) {
        at.slope[one] += cells * slope[one];
        for (std::size_t other = 0; other < slope.size(); ++other) {
            // A second derivative is that by the kind that is not in both, times the chance.
            const double second = one == other || other == both_kind ? -chance * slope[one]
                                  : one == both_kind                 ? -chance * slope[other]
                                                     : chance * chance * nobody * (1 - left) *
                                                           (1 - right) / probability;
            at.curvature[one][other] += cells * (slope[one] * slope[other] - second);
        }
    }
}

}  // namespace

JointLikelihood::JointLikelihood(
    std::span<const Register> left, std::span<const Register> right, unsigned precision
)
    : set_(64) {
    CHECK(left.size() == right.size(), "sketches of other sizes", left.size(), right.size());
    for (std::size_t exponent = 0; exponent < set_.size(); ++exponent) {
        set_[exponent].chance = std::ldexp(1.0, -static_cast<int>(exponent));
    }
    PairCounts counts{};
    for (std::size_t at = 0; at < left.size(); ++at) {
        count_cells(left[at], right[at], counts);
        const unsigned newest = std::max(newest_value(left[at]), newest_value(right[at]));
        const double above = std::ldexp(
            static_cast<double>(chance_above(newest, precision)), static_cast<int>(precision) - 64
        );
        for (double& unset : unset_) {
            unset += above;
        }
    }
    for (unsigned value = 1; value <= largest_value(precision); ++value) {
        take(exponent_of_octave(octave_of(value), precision), counts[value]);
    }
    std::erase_if(set_, [](const Cells& cells) { return !cells.any(); });
}

/// What cells of one value say, whose chance has this exponent.
void JointLikelihood::take(unsigned exponent, const std::array<std::uint32_t, 16>& said) {
    Cells& cells = set_[exponent];
    cells.both += said[left_set + right_set];
    cells.left_alone += said[left_set + right_unset];
    cells.right_alone += said[left_unset + right_set];
    cells.left += said[left_set];
    cells.right += said[right_set];
    const double neither = said[left_unset + right_unset];
    const double not_left = said[left_unset + right_set] + said[left_unset];
    const double not_right = said[left_set + right_unset] + said[right_unset];
    unset_[left_kind] += cells.chance * (not_left + neither);
    unset_[right_kind] += cells.chance * (not_right + neither);
    unset_[both_kind] += cells.chance * (not_left + not_right + neither);
}

JointLikelihood::At JointLikelihood::at(const OfKinds& rates) const {
    At at;
    for (std::size_t kind = 0; kind < rates.size(); ++kind) {
        at.value -= unset_[kind] * rates[kind];
        at.slope[kind] -= unset_[kind];
    }
    const auto& [left, right, both] = rates;
    for (const Cells& cells : set_) {
        add_set(cells.left_alone, left, cells.chance, {left_kind}, at);
        add_set(cells.right_alone, right, cells.chance, {right_kind}, at);
        add_set(cells.left, left + both, cells.chance, {left_kind, both_kind}, at);
        add_set(cells.right, right + both, cells.chance, {right_kind, both_kind}, at);
        add_both(cells.both, rates, cells.chance, at);
    }
    return at;
}

}  // namespace footfall::sketches
