#pragma once

#include "http_server/router.h"

namespace footfall::api {

/// GET /openapi.json: the description of the API, openapi.json beside this file, as it was when the
/// program was built.
void add_openapi_route(http_server::Router& router);

}  // namespace footfall::api
