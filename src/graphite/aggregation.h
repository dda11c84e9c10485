#pragma once

#include "foundation/result.h"
#include "graphite/drawn.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace footfall::graphite {

/// What many values of one time, or of one line, make one of; absent: there are none.
using Aggregation = std::optional<double> (*)(std::span<const std::optional<double>> values);

/// average, avg_zero, count, diff, last, max, median, min, multiply, range, stddev, sum, and what
/// Graphite also calls them: avg, current, rangeOf, total. `invalid_input`: none of these, which
/// the message lists.
Result<Aggregation> aggregation_named(std::string_view name);

/// All of these, in order.
std::vector<std::string_view> aggregation_names();

}  // namespace footfall::graphite
