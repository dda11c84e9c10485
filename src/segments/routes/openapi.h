#pragma once

#include <string_view>

namespace footfall::segments::routes {

/// What the routes of segments are: paths and schemas, as JSON.
std::string_view openapi();

}  // namespace footfall::segments::routes
