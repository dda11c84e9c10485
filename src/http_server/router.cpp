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

const Handler* Router::find(Request& request) const {
    const Method wanted = request.method == Method::head ? Method::get : request.method;
    for (const Route& route : routes_) {
        if (route.method == wanted && route.serves(request.path)) {
            request.rest = request.path.substr(route.path.size());
            return &route.handler;
        }
    }
    return nullptr;
}

std::string Router::allowed(std::string_view path) const {
    std::string methods;
    for (const Route& route : routes_) {
        if (route.serves(path)) {
            methods += methods.empty() ? "" : ", ";
            methods += name_of(route.method);
            methods += route.method == Method::get ? ", HEAD" : "";
        }
    }
    return methods;
}

}  // namespace footfall::http_server
