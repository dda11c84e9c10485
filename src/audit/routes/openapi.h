#pragma once

#include <string_view>

namespace footfall::audit::routes {

/// What the routes of the audit log add to the description of the API (api/openapi_merge.h):
/// openapi.json beside this file, as it was when the program was built. Lives as long as the
/// program.
std::string_view openapi();

}  // namespace footfall::audit::routes
