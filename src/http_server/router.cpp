#include "http_server/router.h"

#include "foundation/check.h"

#include <utility>

namespace footfall::http_server {

void Router::add(Method method, std::string_view pattern, Handler handler) {
    const std::size_t placeholder = pattern.find('{');
    CHECK(!pattern.empty() && pattern.front() == '/', "a route starts with a slash", pattern);
    CHECK(
        placeholder == std::string_view::npos || pattern.find('}') + 1 == pattern.size(),
        "a route ends with its placeholder",
        pattern
    );
    routes_.push_back(
        {.method = method,
         .path = std::string{pattern.substr(0, placeholder)},
         .open_ended = placeholder != std::string_view::npos,
         .handler = std::move(handler)}
    );
}

Router::Match Router::find(Request& request) const {
    const Method wanted = request.method == Method::head ? Method::get : request.method;
    Match match;
    for (const Route& route : routes_) {
        const bool fits =
            route.open_ended ? request.path.starts_with(route.path) : request.path == route.path;
        if (!fits) {
            continue;
        }
        if (route.method == wanted) {
            request.rest = request.path.substr(route.path.size());
            return {.handler = &route.handler, .allowed = {}};
        }
        match.allowed += match.allowed.empty() ? "" : ", ";
        match.allowed += name_of(route.method);
    }
    return match;
}

}  // namespace footfall::http_server
