#include "sketches/joint.h"

#include "sketches/joint_likelihood.h"
#include "sketches/registers.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <optional>
#include <vector>

namespace footfall::sketches {
namespace {

using Fixed = std::array<bool, 3>;

constexpr int rounds_of_newton_max = 100;
/// Below a thousandth of a person there is nobody.
constexpr double nobody = 1e-3;
/// Nor can there be more hashes.
constexpr double most_people = 0x1p64;
constexpr double of_95_percent = 1.959963984540054;
/// From there on bounds are those of the likelihood.
constexpr double wide_error = 0.05;

/// Solves `matrix` x = `right`; absent when the matrix is not positive definite.
std::optional<OfKinds> solved(const Curvature& matrix, const OfKinds& right) {
    Curvature lower{};  // Cholesky
    OfKinds found{};
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column <= row; ++column) {
            double rest = matrix[row][column];
            for (std::size_t at = 0; at < column; ++at) {
                rest -= lower[row][at] * lower[column][at];
            }
            if (row == column && !(rest > 0)) {
                return std::nullopt;
            }
            lower[row][column] = row == column ? std::sqrt(rest) : rest / lower[column][column];
        }
        found[row] = right[row];
        for (std::size_t at = 0; at < row; ++at) {
            found[row] -= lower[row][at] * found[at];
        }
        found[row] /= lower[row][row];
    }
    for (std::size_t row = 3; row-- > 0;) {
        for (std::size_t at = row + 1; at < 3; ++at) {
            found[row] -= lower[at][row] * found[at];
        }
        found[row] /= lower[row][row];
    }
    return found;
}

/// The summit of a likelihood, and what can be said around it. Rates are people a register.
class Summit {
public:
    Summit(const JointLikelihood& likelihood, double registers, const OfKinds& start)
        : likelihood_{likelihood},
          registers_{registers},
          least_{nobody / registers},
          rates_{best(start, {})},
          value_{likelihood_.at(rates_).value} {}

    Bounded of(std::size_t kind) const {
        const double count = people(rates_[kind]);
        const double rate_variance = variance(kind);
        // The Poisson process has as much variance as people.
        const double deviation = std::sqrt(std::max(rate_variance - count, 0.0));
        Bounded bounded{.count = count, .error = deviation / std::max(count, 1.0)};
        if (bounded.error <= wide_error) {
            bounded.low = std::max(count - of_95_percent * deviation, 0.0);
            bounded.high = count + of_95_percent * deviation;
            return bounded;
        }
        const double share = rate_variance > 0 ? deviation / std::sqrt(rate_variance) : 1;
        const double rate_deviation = std::sqrt(rate_variance) / registers_;
        const double below = people(bound(kind, rate_deviation, -1));
        const double above = people(bound(kind, rate_deviation, 1));
        bounded.low = below > 0 ? count - share * (count - below) : 0;
        bounded.high = count + share * (above - count);
        return bounded;
    }

private:
    double people(double rate) const { return rate <= least_ ? 0 : rate * registers_; }

    /// Of the rate, in people: the inverse of the curvature.
    double variance(std::size_t kind) const {
        OfKinds unit{};
        unit[kind] = 1;
        const std::optional<OfKinds> column = solved(likelihood_.at(rates_).curvature, unit);
        return column ? (*column)[kind] * registers_ * registers_ : 0;
    }

    /// Climbs from `rates` to where the likelihood is largest while those that are fixed stay.
    OfKinds best(OfKinds rates, const Fixed& fixed) const {
        JointLikelihood::At at = likelihood_.at(rates);
        double damping = 0;
        for (int round = 0; round < rounds_of_newton_max; ++round) {
            const std::optional<OfKinds> step = newton_step(rates, at, fixed, damping);
            if (!step) {
                damping = std::max(damping * 8, 1e-3);
                continue;
            }
            OfKinds next = rates;
            double gain = 0;
            for (std::size_t kind = 0; kind < 3; ++kind) {
                constexpr double farthest = 2;
                const double factor = std::exp(std::clamp((*step)[kind], -farthest, farthest));
                next[kind] = fixed[kind] ? rates[kind] : std::max(rates[kind] * factor, least_);
                gain += std::abs((*step)[kind] * at.slope[kind] * rates[kind]);
            }
            constexpr double closer_than = 1e-9;
            if (gain < closer_than) {
                break;
            }
            const JointLikelihood::At there = likelihood_.at(next);
            if (there.value >= at.value) {
                rates = next;
                at = there;
                damping = damping < 1e-3 ? 0 : damping / 8;
            } else {
                damping = std::max(damping * 8, 1e-3);
            }
        }
        return rates;
    }

    /// In logarithms of the rates. Whoever is fixed, or is nobody and would be fewer, stays.
    std::optional<OfKinds> newton_step(
        const OfKinds& rates, const JointLikelihood::At& at, const Fixed& fixed, double damping
    ) const {
        Curvature curvature{};
        OfKinds slope{};
        for (std::size_t one = 0; one < 3; ++one) {
            if (fixed[one] || (rates[one] <= least_ && at.slope[one] <= 0)) {
                curvature[one][one] = 1;
                continue;
            }
            slope[one] = at.slope[one] * rates[one];
            for (std::size_t other = 0; other < 3; ++other) {
                if (!fixed[other] && (rates[other] > least_ || at.slope[other] > 0)) {
                    curvature[one][other] = at.curvature[one][other] * rates[one] * rates[other];
                }
            }
            curvature[one][one] -= slope[one];
            curvature[one][one] += damping * (std::abs(curvature[one][one]) + std::abs(slope[one]));
        }
        return solved(curvature, slope);
    }

    /// How far the likelihood falls, times two, when a rate is this one and the others fit best.
    double fall(std::size_t kind, double rate, OfKinds& from) const {
        from[kind] = rate;
        Fixed fixed{};
        fixed[kind] = true;
        from = best(from, fixed);
        return 2 * (value_ - likelihood_.at(from).value);
    }

    /// The fall that 95 of 100 stay below if this is the true rate. Where the summit cannot be
    /// below 0, and the truth is `deviations` above it.
    static double critical_fall(double deviations) {
        if (deviations >= of_95_percent) {
            return of_95_percent * of_95_percent;
        }
        const auto normal = [](double at) { return std::erfc(-at / std::numbers::sqrt2) / 2; };
        double low = 2;
        double high = 4;
        for (int round = 0; round < 30; ++round) {
            const double fall = (low + high) / 2;
            // Of estimates below 0 the fall is that of the summit at 0: a straight line.
            const double below = deviations <= 0 ? 0
                                 : deviations * deviations <= fall
                                     ? normal(-(deviations * deviations + fall) / (2 * deviations))
                                     : normal(-std::sqrt(fall));
            (normal(std::sqrt(fall)) - below < 0.95 ? low : high) = fall;
        }
        return low;
    }

    /// The rate below (-1) or above the summit where the likelihood has fallen so far that the
    /// truth is not likely to be beyond.
    double bound(std::size_t kind, double deviation, int side) const {
        OfKinds others = rates_;
        const auto is_beyond = [&](double rate) {
            const double critical = deviation > 0 ? critical_fall(rate / deviation) : 4;
            return fall(kind, rate, others) > critical;
        };
        double inside = rates_[kind];
        double outside = least_;
        if (side < 0) {
            if (inside <= least_ || !is_beyond(least_)) {
                return least_;
            }
        } else {
            double width = std::max({deviation * 2, inside / 8, least_});
            outside = inside + width;
            while (outside < most_people && !is_beyond(outside)) {
                inside = outside;
                width *= 2;
                outside += width;
            }
        }
        constexpr double closer_than = 1e-3;
        while (std::abs(outside - inside) > closer_than * std::max(outside, inside)) {
            const double middle = (inside + outside) / 2;
            (is_beyond(middle) ? outside : inside) = middle;
        }
        return (inside + outside) / 2;
    }

    const JointLikelihood& likelihood_;
    double registers_;
    double least_;
    OfKinds rates_;
    double value_;
};

Bounded exactly(std::size_t count) {
    const auto people = static_cast<double>(count);
    return {.count = people, .error = 0, .low = people, .high = people};
}

Joint of_tokens(std::span<const HashToken> left, std::span<const HashToken> right) {
    std::vector<HashToken> common;
    std::ranges::set_intersection(left, right, std::back_inserter(common));
    return {
        .common = exactly(common.size()),
        .only_left = exactly(left.size() - common.size()),
        .only_right = exactly(right.size() - common.size()),
        .exact = true
    };
}

}  // namespace

Joint joint(std::span<const Register> left, std::span<const Register> right, unsigned precision) {
    const JointLikelihood likelihood{left, right, precision};
    std::vector<Register> both(left.size());
    std::ranges::transform(left, right, both.begin(), united);
    const auto rate_of = [&](std::span<const Register> registers) {
        // Of full registers it is infinite.
        const double people = most_likely(Likelihood::of_registers(registers, precision));
        return std::min(people, most_people) / static_cast<double>(registers.size());
    };
    // By inclusion and exclusion, which may be below 0.
    const double all = rate_of(both);
    const double in_left = rate_of(left);
    const double in_right = rate_of(right);
    const double least = std::max(all / 1'000, nobody / static_cast<double>(left.size()));
    const OfKinds start{
        std::max(all - in_right, least),
        std::max(all - in_left, least),
        std::max(in_left + in_right - all, least)
    };
    const Summit summit{likelihood, static_cast<double>(left.size()), start};
    return {
        .common = summit.of(2),
        .only_left = summit.of(0),
        .only_right = summit.of(1),
        .exact = false
    };
}

Joint joint(const Sketch& left, const Sketch& right) {
    const auto left_tokens = left.tokens();
    const auto right_tokens = right.tokens();
    if (left_tokens && right_tokens) {
        return of_tokens(*left_tokens, *right_tokens);
    }
    const Registers in_left = left.registers();
    const Registers in_right = right.registers();
    return joint(in_left.all(), in_right.all(), usual_precision);
}

}  // namespace footfall::sketches
