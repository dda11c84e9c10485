#pragma once

#include "foundation/result.h"
#include "http_server/request.h"

#include <string_view>

namespace footfall::api {

/// The one table from what failed to what a client is told: status and problem type.
http_server::Response answer_error(const Error& error, std::string_view field = {});

}  // namespace footfall::api
