#pragma once

#include <string_view>

namespace footfall::timeseries::routes {

/// What the routes of timeseries are: paths and schemas, as JSON.
std::string_view openapi();

}  // namespace footfall::timeseries::routes
