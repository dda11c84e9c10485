#pragma once

#include "api/front_door.h"

#include <span>
#include <string_view>

namespace footfall::api {

/// GET /openapi.json: the description of the API, openapi.json beside this file with the
/// `fragments` of the jobs, merged now (openapi_merge.h) and kept by the route. All of them are
/// built into the program, so one that does not fit is a failed CHECK.
void add_openapi_route(FrontDoor& door, std::span<const std::string_view> fragments);

}  // namespace footfall::api
