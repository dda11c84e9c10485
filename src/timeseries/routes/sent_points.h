#pragma once

#include "timeseries/time_series.h"

#include <deque>
#include <string>
#include <vector>

namespace footfall::timeseries::routes {

/// Points as they were sent, and the names that they refer to.
struct SentPoints {
    std::deque<std::string> names;
    std::vector<PointOf> points;
};

}  // namespace footfall::timeseries::routes
