#include "http_server/router.h"

#include "foundation/check.h"
#include "http_server/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::http_server {
namespace {

/// In a shape: a placeholder that takes a segment, and one that takes all that is left. No pattern
/// has these letters.
constexpr char one_segment = '\1';
constexpr char all_that_is_left = '\2';

/// The fewer paths a place of a shape takes, the lower.
int rank(char letter) {
    return letter == all_that_is_left ? 2 : letter == one_segment ? 1 : 0;
}

}  // namespace

std::optional<Response> Endpoint::refuse(const Request& request) const {
    if (entrance.refuse) {
        if (auto refusal = entrance.refuse(request)) {
            return refusal;
        }
    }
    return refuse_size(request);
}

std::optional<Response> Endpoint::refuse_size(const Request& request) const {
    const BodyLimit& limit = entrance.body;
    if (std::max(request.length, request.body.size()) <= limit.bytes) {
        return std::nullopt;
    }
    return problem(
        413,
        limit.problem,
        fmt::format("{} is larger than the {} bytes allowed here", limit.what, limit.bytes),
        limit.field
    );
}

void Router::add(Method method, std::string_view pattern, Handler handler, Entrance entrance) {
    Route route = parse(pattern);
    route.method = method;
    route.endpoint = {.entrance = std::move(entrance), .handler = std::move(handler)};
    const auto is_same = [&](const Route& other) {
        return other.method == method && other.shape == route.shape;
    };
    CHECK(std::ranges::none_of(routes_, is_same), "a route is added once", pattern);
    const auto behind = std::ranges::find_if(routes_, [&](const Route& other) {
        return precedes(route.shape, other.shape);
    });
    routes_.insert(behind, std::move(route));
}

/// Without method and endpoint.
Router::Route Router::parse(std::string_view pattern) {
    CHECK(pattern.starts_with('/'), "a route starts with a slash", pattern);
    std::size_t end = std::min(pattern.find('{'), pattern.size());
    Route route{};
    route.start = pattern.substr(0, end);
    route.shape = route.start;
    while (end < pattern.size()) {
        const std::size_t close = pattern.find('}', end);
        CHECK(
            pattern[end - 1] == '/' && close != std::string_view::npos &&
                (close + 1 == pattern.size() || pattern[close + 1] == '/'),
            "a placeholder is a whole segment",
            pattern
        );
        end = std::min(pattern.find('{', close), pattern.size());
        const std::string_view literal = pattern.substr(close + 1, end - close - 1);
        route.shape += literal.empty() ? all_that_is_left : one_segment;
        route.shape += literal;
        route.literals.emplace_back(literal);
    }
    CHECK(route.literals.size() <= placeholders_max, "too many placeholders", pattern);
    return route;
}

/// Whether the pattern of the shape `left` comes first where both serve a path.
bool Router::precedes(std::string_view left, std::string_view right) {
    const auto [of_left, of_right] = std::ranges::mismatch(left, right);
    const int rank_left = of_left == left.end() ? 0 : rank(*of_left);
    return of_right != right.end() && rank_left < rank(*of_right);
}

bool Router::Route::serves_rest(std::string_view path, Placeholders& found) const {
    for (std::size_t at = 0; at < literals.size(); ++at) {
        const std::string& literal = literals[at];
        const std::size_t length = literal.empty() ? path.size() : path.find('/');
        found[at] = path.substr(0, length);
        path.remove_prefix(found[at].size());
        if (!path.starts_with(literal)) {
            return false;
        }
        path.remove_prefix(literal.size());
    }
    return path.empty();
}

const Endpoint* Router::find(Request& request) const {
    const Method wanted = request.method == Method::head ? Method::get : request.method;
    for (const Route& route : routes_) {
        if (route.method == wanted && route.serves(request.path, request.placeholders)) {
            return &route.endpoint;
        }
    }
    return nullptr;
}

std::string Router::allowed(std::string_view path) const {
    std::string methods;
    Placeholders ignored;
    for (const Route& route : routes_) {
        const std::string_view name = name_of(route.method);
        if (route.serves(path, ignored) && !methods.contains(name)) {
            methods += methods.empty() ? "" : ", ";
            methods += name;
            methods += route.method == Method::get ? ", HEAD" : "";
        }
    }
    return methods;
}

}  // namespace footfall::http_server
