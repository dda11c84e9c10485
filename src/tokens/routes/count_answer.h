#pragma once

#include "http_server/request.h"
#include "tokens/counted_object.h"

#include <string_view>

namespace footfall::tokens::routes {

/// Answers a count as text ("43\n") or, if the request asks for it, as JSON. Leaves once it is
/// durable. Allocates nothing that `response` has not allocated before.
void answer_count(
    http_server::Response& response,
    const http_server::Request& request,
    std::string_view object,
    std::string_view counter,
    const Count& count
);

}  // namespace footfall::tokens::routes
