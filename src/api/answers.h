#pragma once

#include "foundation/result.h"
#include "http_server/request.h"
#include "tokens/counted_object.h"

#include <string_view>

namespace footfall::api {

/// The one table from what failed to what a client is told: status and problem type.
http_server::Response answer_error(const Error& error, std::string_view field = {});

/// Answers a count as text ("43\n") or, if the request asks for it, as JSON. Leaves once it is
/// durable. Allocates nothing that `response` has not allocated before.
void answer_count(
    http_server::Response& response,
    const http_server::Request& request,
    std::string_view object,
    std::string_view counter,
    const tokens::Count& count
);

}  // namespace footfall::api
