#pragma once

#include "kairos/query.h"
#include "series/point.h"

#include <cstddef>
#include <vector>

namespace footfall::kairos {

/// In ascending order of time, of which several may have the same. NaN stands for "no value", which
/// "gaps" tells of.
using Points = std::vector<series::Point>;

/// What no answer has more of.
inline constexpr std::size_t points_max = 1'000'000;

/// What the aggregator makes of the points of a query that starts at `start`. `invalid_input`: it
/// would be more than points_max, or a rate is asked of points of the same time. Costs what there
/// are points, for percentiles a sort of each range. Pure.
Result<Points> aggregate(
    const Aggregator& aggregator, const Points& points, Time start, const TimeZone& zone
);

}  // namespace footfall::kairos
