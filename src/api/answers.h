#pragma once

#include "foundation/result.h"
#include "http_server/request.h"

#include <string>
#include <string_view>

namespace footfall::api {

/// The one table from what failed to what a client is told: status and problem type.
http_server::Response answer_error(const Error& error, std::string_view field = {});

/// An answer of one JSON document, which nobody keeps for later.
http_server::Response json_answer(std::string body, int status = 200);

/// 400, with the field at fault.
http_server::Response invalid_input(std::string_view detail, std::string_view field);

}  // namespace footfall::api
