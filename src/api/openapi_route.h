#pragma once

#include "api/front_door.h"

namespace footfall::api {

/// GET /openapi.json: the description of the API, openapi.json beside this file, as it was when the
/// program was built.
void add_openapi_route(FrontDoor& door);

}  // namespace footfall::api
