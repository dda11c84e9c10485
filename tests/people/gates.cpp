#include "gates.h"

#include "sketches/sketch.h"
#include "sketches/standard_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace footfall::people {
namespace {

constexpr double many_people = 1e6;
/// From here on so many collide that the error of some thousand runs is not one of a few of them.
constexpr double judged_people = 150;
constexpr double bias_max = 0.0003;
constexpr double rmse_off_max = 0.03;
constexpr double sigmas_max = 2.6;
constexpr double beyond_max = 0.01;
constexpr double jump_max = 0.0005;
constexpr double by_chance = 4;  ///< Standard errors that are taken for chance.
constexpr double least_expected = 20;

/// The worst of a kind, and where.
struct Worst {
    double value = -HUGE_VAL;  ///< As a share of what is allowed.
    std::string found = "nothing was judged";

    void take(double of_allowed, std::string what) {
        if (of_allowed > value) {
            value = of_allowed;
            found = std::move(what);
        }
    }

    Verdict verdict(std::string promise) const {
        return {.promise = std::move(promise), .found = "worst: " + found, .kept = value <= 1};
    }
};

bool is_ours(Way way) {
    return way != Way::redis;
}

std::string at(Way way, double people) {
    return fmt::format("{}, {:.6g} people", name_of(way), people);
}

/// Calls `look(way, point, summary)` for each of our ways.
template <class Look>
void for_each_of_ours(const Curve& curve, const Look& look) {
    for (const Point& point : curve.points()) {
        for (const Way way : ways) {
            if (is_ours(way)) {
                look(way, point, Summary{point.of(way)});
            }
        }
    }
}

Verdict bias(const Curve& curve) {
    Worst worst;
    for_each_of_ours(curve, [&](Way way, const Point& point, const Summary& found) {
        // Few people collide seldom: what was seen of it may be too little.
        const double chance = by_chance * std::max(found.rmse, theory(way, point.people)) /
                              std::sqrt(static_cast<double>(found.runs));
        worst.take(
            std::abs(found.bias) / std::max(bias_max, chance),
            fmt::format("{:+.4f} % ({})", 100 * found.bias, at(way, point.people))
        );
    });
    return worst.verdict("bias of at most 0.03 % everywhere");
}

/// How far the error is from what is stated, as a share of what is allowed.
void take_rmse(Worst& worst, Way way, double people, const Summary& found) {
    if (people < judged_people) {
        return;
    }
    const double stated = theory(way, people);
    const double chance = by_chance * std::max(
                                          1 / std::sqrt(2 * static_cast<double>(found.runs)),
                                          found.squares_error / (2 * stated * stated)
                                      );
    worst.take(
        std::abs(found.rmse / stated - 1) / std::max(rmse_off_max, chance),
        fmt::format(
            "{:.4f} %, stated {:.4f} % ({})", 100 * found.rmse, 100 * stated, at(way, people)
        )
    );
}

Verdict rmse(const Curve& curve) {
    Worst worst;
    for_each_of_ours(curve, [&](Way way, const Point& point, const Summary& found) {
        take_rmse(worst, way, point.people, found);
    });
    for (const Point& point : curve.promotion()) {
        take_rmse(worst, Way::served, point.people, Summary{point.of(Way::served)});
    }
    return worst.verdict("error within 3 % of what sketches state, from 150 people on");
}

/// The 99th percentile of errors is at most 2.6 standard errors: at most one of a hundred is
/// beyond.
double share_beyond(const std::vector<float>& errors, double limit) {
    const auto beyond =
        std::ranges::count_if(errors, [&](float error) { return std::abs(error) > limit; });
    return static_cast<double>(beyond) / static_cast<double>(errors.size());
}

Verdict beyond(const Curve& curve) {
    Worst worst;
    for_each_of_ours(curve, [&](Way way, const Point& point, const Summary& found) {
        if (point.people < many_people) {
            return;
        }
        const double share = share_beyond(point.of(way), sigmas_max * theory(way, point.people));
        const double chance = by_chance * std::sqrt(beyond_max / static_cast<double>(found.runs));
        worst.take(
            share / (beyond_max + chance),
            fmt::format(
                "{:.2f} of 100, the 99th of 100 at {:.3f} ({})",
                100 * share,
                found.percentile99 / theory(way, point.people),
                at(way, point.people)
            )
        );
    });
    return worst.verdict("one of a hundred beyond 2.6 standard errors, but for chance");
}

/// The same over all numbers of people, where chance is less.
Verdict beyond_on_average(const Curve& curve) {
    constexpr std::size_t full = 10'000;
    double sum = 0;
    double percentiles = 0;
    double count = 0;
    std::size_t runs = 0;
    for_each_of_ours(curve, [&](Way way, const Point& point, const Summary& found) {
        if (point.people >= many_people) {
            sum += share_beyond(point.of(way), sigmas_max * theory(way, point.people));
            percentiles += found.percentile99 / theory(way, point.people);
            ++count;
            runs = found.runs;
        }
    });
    const double chance =
        runs < full ? by_chance * std::sqrt(beyond_max / static_cast<double>(runs)) : 0;
    return {
        .promise = "one of a hundred beyond 2.6 standard errors, on average",
        .found = fmt::format(
            "{:.3f} of 100, the 99th of 100 at {:.3f}", 100 * sum / count, percentiles / count
        ),
        .kept = sum / count <= beyond_max + chance
    };
}

/// As whole numbers, which is what both answer.
Summary of_whole_numbers(const Point& point, Way way) {
    std::vector<float> errors = point.of(way);
    for (float& error : errors) {
        const double count = std::round(point.people * (1 + static_cast<double>(error)));
        error = static_cast<float>(count / point.people - 1);
    }
    return Summary{errors};
}

Verdict never_above_redis(const Curve& curve) {
    Worst worst;
    for (const Point& point : curve.points()) {
        const Summary redis = of_whole_numbers(point, Way::redis);
        for (const Way way : ways) {
            if (!is_ours(way)) {
                continue;
            }
            const Summary ours = of_whole_numbers(point, way);
            // Few people collide so seldom that a mean square hangs on a handful of runs.
            const double chance = 3 * std::hypot(ours.squares_error, redis.squares_error);
            const double more = ours.rmse * ours.rmse - redis.rmse * redis.rmse;
            worst.take(
                more <= chance ? more <= 0 ? 0 : more / chance : 2,
                fmt::format(
                    "{:.4f} beside {:.4f} % ({})",
                    100 * ours.rmse,
                    100 * redis.rmse,
                    at(way, point.people)
                )
            );
        }
    }
    return worst.verdict("never less close than HyperLogLog with 2^14 registers");
}

/// How far off a sum of squares is, in standard errors (Wilson and Hilferty).
double deviation(double squares, double freedom) {
    const double share = 2 / (9 * freedom);
    return (std::cbrt(squares / freedom) - (1 - share)) / std::sqrt(share);
}

double chance_of_value(unsigned value) {
    return std::ldexp(
        1.0,
        -static_cast<int>(
            sketches::usual_precision +
            sketches::exponent_of_octave(sketches::octave_of(value), sketches::usual_precision)
        )
    );
}

Verdict histogram(const Histogram& found) {
    double registers = 0;
    for (const double count : found.newest) {
        registers += count;
    }
    double squares = 0;
    double freedom = -1;
    double expected = 0;
    double seen = 0;
    double at_most_before = 0;
    const auto close_bin = [&] {
        squares += (seen - expected) * (seen - expected) / expected;
        ++freedom;
        seen = expected = 0;
    };
    const unsigned largest = sketches::largest_value(sketches::usual_precision);
    for (unsigned value = 0; value <= largest; ++value) {
        const double above = std::ldexp(
            static_cast<double>(sketches::chance_above(value, sketches::usual_precision)), -64
        );
        const double at_most = std::exp(found.people * std::log1p(-above));
        expected += registers * (at_most - at_most_before);
        seen += found.newest[value];
        at_most_before = at_most;
        const bool last_fits = registers * (1 - at_most) >= least_expected;
        if ((expected >= least_expected && last_fits) || value == largest) {
            close_bin();
        }
    }
    for (unsigned value = 1; value <= largest; ++value) {
        const double unset = std::exp(found.people * std::log1p(-chance_of_value(value)));
        const double hits = found.watched[value] * (1 - unset);
        if (std::min(hits, found.watched[value] * unset) >= least_expected) {
            const double off = found.seen[value] - hits;
            squares += off * off / (hits * unset);
            ++freedom;
        }
    }
    const double sigmas = deviation(squares, freedom);
    return {
        .promise = fmt::format("registers as theory has them, {:.0e} people", found.people),
        .found =
            fmt::format("chi square {:.1f} of {:.0f}: {:+.1f} sigma", squares, freedom, sigmas),
        .kept = sigmas <= by_chance
    };
}

Verdict promotion(const Curve& curve) {
    Worst worst;
    double before = 0;
    double people_before = 0;
    for (const Point& point : curve.promotion()) {
        const double bias = Summary{point.of(Way::served)}.bias;
        if (people_before > 0) {
            worst.take(
                std::abs(bias - before) / jump_max,
                fmt::format(
                    "{:+.4f} % from {} to {}", 100 * (bias - before), people_before, point.people
                )
            );
        }
        before = bias;
        people_before = point.people;
    }
    return worst.verdict("from tokens to registers no jump of over 0.05 %");
}

}  // namespace

Summary::Summary(const std::vector<float>& errors) : runs{errors.size()} {
    std::vector<double> sizes;
    sizes.reserve(errors.size());
    double squares = 0;
    double fourths = 0;
    for (const double error : errors) {
        bias += error;
        squares += error * error;
        fourths += error * error * error * error;
        sizes.push_back(std::abs(error));
    }
    const auto count = static_cast<double>(runs);
    bias /= count;
    squares /= count;
    rmse = std::sqrt(squares);
    squares_error = std::sqrt(std::max(0.0, fourths / count - squares * squares) / count);
    const auto place = sizes.begin() + static_cast<std::ptrdiff_t>(runs * 99 / 100);
    std::ranges::nth_element(sizes, place);
    percentile99 = *place;
}

double theory(Way way, double people) {
    constexpr double redis_error = 1.03670;  // x sqrt(registers): the likelihood of 6-bit registers
    constexpr double tokens_max = sketches::Sketch::tokens_max;
    switch (way) {
        case Way::likelihood:
        case Way::halves:
            return sketches::likelihood_error(people);
        case Way::served:
        case Way::coded:
            return people <= tokens_max ? sketches::token_error(people)
                                        : sketches::martingale_error(people, tokens_max);
        case Way::martingale:
            return sketches::martingale_error(people, 0);
        case Way::redis:
            return redis_error / 128;
    }
    return 0;
}

std::vector<Verdict> judged(const Curve& curve) {
    std::vector<Verdict> verdicts{
        bias(curve),
        rmse(curve),
        beyond(curve),
        beyond_on_average(curve),
        never_above_redis(curve),
        promotion(curve),
        {.promise = "written and read back a sketch is the same",
         .found = fmt::format("{} changed", curve.changed_by_coding()),
         .kept = curve.changed_by_coding() == 0}
    };
    for (const Histogram& found : curve.histograms()) {
        verdicts.push_back(histogram(found));
    }
    return verdicts;
}

}  // namespace footfall::people
