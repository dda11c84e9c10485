#include "api/small_json.h"

#include "http_server/problem.h"

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace footfall::api {

Asked<boost::json::object> small_json_body(
    const http_server::Request& request, std::initializer_list<std::string_view> known
) {
    const std::string_view body = request.body;
    boost::json::error_code error;
    boost::json::value document = boost::json::parse({body.data(), body.size()}, error);
    if (error || !document.is_object()) {
        return std::unexpected(
            http_server::problem(400, "invalid-input", "the body is not one JSON object")
        );
    }
    for (const auto& each : document.get_object()) {
        const std::string_view name{each.key().data(), each.key().size()};
        if (std::ranges::find(known, name) == known.end()) {
            return std::unexpected(http_server::problem(
                400,
                "invalid-input",
                fmt::format("there is no field \"{}\"; there are {}", name, fmt::join(known, ", ")),
                name.empty() ? "body" : name
            ));
        }
    }
    return std::move(document.get_object());
}

}  // namespace footfall::api
