#pragma once

#include "foundation/result.h"
#include "kairos/evaluate.h"
#include "timeseries/time_series.h"

#include <cstddef>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::timeseries::routes {

/// Names of metrics, tags, or values that an answer has at most.
inline constexpr std::size_t kairos_names_max = 100'000;

using Names = std::set<std::string>;

/// A series of a metric.
struct KairosSeries {
    std::string name;  ///< As it is kept.
    kairos::Tags tags;
};

/// The series of a metric that have the tags that are asked for, at most so many: `invalid_input`
/// where there are more. `cancelled`. Costs what the metric has series.
Result<std::vector<KairosSeries>> series_of(
    const TimeSeries& series,
    const kairos::MetricQuery& metric,
    std::size_t most,
    const std::stop_token& left
);

/// Metrics whose names begin so. Costs a look for each.
Result<Names> metric_names(
    const TimeSeries& series, std::string_view prefix, const std::stop_token& left
);

enum class TagPart { name, value };

/// All names of tags that there are, or all values. Costs what there are series with tags.
Result<Names> tag_parts(const TimeSeries& series, TagPart part, const std::stop_token& left);

}  // namespace footfall::timeseries::routes
