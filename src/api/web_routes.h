#pragma once

#include "http_server/router.h"

namespace footfall::api {

/// The dashboard at "/": its files with an ETag, and headers that let it load nothing from
/// elsewhere.
void add_web_routes(http_server::Router& router);

}  // namespace footfall::api
