#pragma once

#include "foundation/result.h"
#include "http_server/client.h"

#include <boost/json/object.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace footfall::cli {

/// Told of each row of a list; an error ends it.
using TakeListed = std::function<Result<void>(const boost::json::object& row)>;

/// Asks a server for a list, page behind page, and tells of each row. `target` has a question, to
/// which the cursor is added; `list`: the name of the list in an answer. Blocks. Failures: the
/// server's, and `take`'s.
Result<void> for_each_listed(
    http_server::ServerUrl server,
    const std::string& target,
    std::string_view list,
    const TakeListed& take
);

/// What a server answered as one JSON object; `unavailable`: it is none.
Result<boost::json::object> object_of(const http_server::ClientResponse& response);

}  // namespace footfall::cli
