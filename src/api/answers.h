#pragma once

#include "foundation/result.h"
#include "http_server/request.h"
#include "tokens/counted_object.h"

#include <string>
#include <string_view>

namespace footfall::api {

/// The one table from what failed to what a client is told: status and problem type.
http_server::Response answer_error(const Error& error, std::string_view field = {});

/// A count as text ("43\n") or, if the request asks for it, as JSON. Leaves once it is durable.
http_server::Response answer_count(
    const http_server::Request& request,
    std::string_view object,
    std::string_view counter,
    const tokens::Count& count
);

/// `text` as a JSON string, quotes included.
std::string json_string(std::string_view text);

}  // namespace footfall::api
