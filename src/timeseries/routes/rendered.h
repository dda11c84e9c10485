#pragma once

#include "graphite/aggregation.h"
#include "series/point.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::timeseries::routes {

/// What a graph shows: a value, or none, for each step of time. Times are seconds since 1970.
struct Rendered {
    std::int64_t start = 0;  ///< A multiple of the step.
    std::int64_t step = 1;
    std::vector<std::optional<double>> values;
};

/// The steps that a question from `from` until `until` is about: those that begin after `from`,
/// and at `until` at the latest, as Graphite has it.
struct Steps {
    std::int64_t start = 0;
    std::int64_t count = 0;
};

Steps steps_between(std::int64_t from, std::int64_t until, std::int64_t step);

/// Of settled points, or figures of cells at their times, the last of each step; NaN is no value.
/// Takes the memory of `room`, whatever it has. Pure.
Rendered render(
    std::span<const series::Point> points, const Steps& steps, std::int64_t step, Rendered room = {}
);

/// At most so many values: each of as many neighbours as it takes, which begin at multiples of what
/// they span, so that they stay the same when the question moves on. Pure.
Rendered consolidated(
    const Rendered& rendered, std::int64_t values_max, graphite::Aggregation aggregation
);

/// consolidated() by means of what render() makes of these, where it has more than `values_max`
/// values: the same, but of each band only its sum is in memory. Pure.
Rendered render_means(
    std::span<const series::Point> points,
    const Steps& steps,
    std::int64_t step,
    std::int64_t values_max
);

/// The tags of a series by its name, which is the one called "name". Pure.
std::map<std::string, std::string> tags_of(std::string_view name);

/// As Graphite writes it: {"target":..,"tags":{..},"datapoints":[[value,time],..]}. JSON has no
/// infinity: 1e9999 stands for it, as there; what is no number (of functions) is null. Pure.
void append_json(
    std::string_view name,
    const std::map<std::string, std::string>& tags,
    const Rendered& rendered,
    std::string& json
);

}  // namespace footfall::timeseries::routes
