#include "graphite/aggregation.h"

#include "foundation/beginning_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace footfall::graphite {
namespace {

using Given = std::span<const std::optional<double>>;

std::vector<double> present(Given values) {
    std::vector<double> all;
    all.reserve(values.size());
    for (const std::optional<double>& each : values) {
        if (each) {
            all.push_back(*each);
        }
    }
    return all;
}

/// Of the values that are there, one after the other; absent: there are none.
template <class Fold>
std::optional<double> folded(Given values, const Fold& fold) {
    std::optional<double> all;
    for (const std::optional<double>& each : values) {
        if (each) {
            all = all ? fold(*all, *each) : *each;
        }
    }
    return all;
}

std::optional<double> sum(Given values) {
    return folded(values, [](double all, double each) { return all + each; });
}

double number_of(Given values) {
    return static_cast<double>(std::ranges::count_if(values, [](const auto& each) {
        return each.has_value();
    }));
}

std::optional<double> count(Given values) {
    return number_of(values);
}

/// What most graphs are consolidated by, so values are looked at once.
std::optional<double> average(Given values) {
    double all = -0.0;  // what is added to it stays as it is
    std::size_t number = 0;
    for (const std::optional<double>& each : values) {
        if (each) {
            all += *each;
            ++number;
        }
    }
    return number > 0 ? std::optional{all / static_cast<double>(number)} : std::nullopt;
}

std::optional<double> average_with_zeros(Given values) {
    return values.empty()
               ? std::nullopt
               : std::optional{sum(values).value_or(0) / static_cast<double>(values.size())};
}

std::optional<double> diff(Given values) {
    return folded(values, [](double all, double each) { return all - each; });
}

std::optional<double> last(Given values) {
    return folded(values, [](double /*all*/, double each) { return each; });
}

std::optional<double> max(Given values) {
    return folded(values, [](double all, double each) { return std::max(all, each); });
}

std::optional<double> min(Given values) {
    return folded(values, [](double all, double each) { return std::min(all, each); });
}

std::optional<double> median(Given values) {
    std::vector<double> all = present(values);
    if (all.empty()) {
        return std::nullopt;
    }
    std::ranges::sort(all);
    const std::size_t middle = all.size() / 2;
    return all.size() % 2 == 0 ? (all[middle - 1] + all[middle]) / 2 : all[middle];
}

/// Absent where one is.
std::optional<double> multiply(Given values) {
    const bool has_all =
        std::ranges::all_of(values, [](const auto& each) { return each.has_value(); });
    return has_all ? folded(values, [](double all, double each) { return all * each; })
                   : std::nullopt;
}

std::optional<double> range(Given values) {
    const auto most = max(values);
    return most ? std::optional{*most - min(values).value_or(*most)} : std::nullopt;
}

/// Of all, not of a sample.
std::optional<double> deviation(Given values) {
    const std::vector<double> all = present(values);
    if (all.empty()) {
        return std::nullopt;
    }
    const double mean = average(values).value_or(0);
    double squares = 0;
    for (const double each : all) {
        squares += (each - mean) * (each - mean);
    }
    return std::sqrt(squares / static_cast<double>(all.size()));
}

constexpr std::array<std::pair<std::string_view, Aggregation>, 16> aggregations{{
    {"average", average},
    {"avg", average},
    {"avg_zero", average_with_zeros},
    {"count", count},
    {"current", last},
    {"diff", diff},
    {"last", last},
    {"max", max},
    {"median", median},
    {"min", min},
    {"multiply", multiply},
    {"range", range},
    {"rangeOf", range},
    {"stddev", deviation},
    {"sum", sum},
    {"total", sum},
}};

}  // namespace

Result<Aggregation> aggregation_named(std::string_view name) {
    std::string all;
    for (const auto& [known, aggregation] : aggregations) {
        if (known == name) {
            return aggregation;
        }
        fmt::format_to(std::back_inserter(all), "{}{}", all.empty() ? "" : ", ", known);
    }
    return fail(
        ErrorKind::invalid_input,
        fmt::format("target: {} is none of the aggregations {}", beginning_of(name, 100), all)
    );
}

std::vector<std::string_view> aggregation_names() {
    std::vector<std::string_view> names;
    names.reserve(aggregations.size());
    for (const auto& [name, aggregation] : aggregations) {
        names.push_back(name);
    }
    return names;
}

}  // namespace footfall::graphite
