#include "api/small_json.h"

#include "http_server/problem.h"

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace footfall::api {

Asked<boost::json::object> small_json(
    std::string_view text, std::string_view what, std::initializer_list<std::string_view> known
) {
    boost::json::error_code error;
    boost::json::value document = boost::json::parse({text.data(), text.size()}, error);
    if (error || !document.is_object()) {
        return std::unexpected(http_server::problem(
            400, "invalid-input", fmt::format("{} is not one JSON object", what)
        ));
    }
    for (const auto& each : document.get_object()) {
        const std::string_view name{each.key().data(), each.key().size()};
        if (std::ranges::find(known, name) == known.end()) {
            return std::unexpected(http_server::problem(
                400,
                "invalid-input",
                fmt::format("there is no field \"{}\"; there are {}", name, fmt::join(known, ", ")),
                name.empty() ? what.substr(what.rfind(' ') + 1) : name
            ));
        }
    }
    return std::move(document.get_object());
}

Asked<boost::json::object> small_json_body(
    const http_server::Request& request, std::initializer_list<std::string_view> known
) {
    return small_json(request.body, "the body", known);
}

}  // namespace footfall::api
