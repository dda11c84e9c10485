#include "api/operations_routes.h"

#include "api/answers.h"
#include "api/front_door.h"
#include "http_server/problem.h"

#include <utility>

namespace footfall::api {
namespace {

using http_server::Exchange;
using http_server::Method;
using http_server::Response;

/// A handler for what is at hand at once.
template <class Make>
http_server::Handler simple(Make make) {
    return [make = std::move(make)](Exchange& exchange) -> std::optional<runtime::Task<>> {
        exchange.response() = make();
        return std::nullopt;
    };
}

}  // namespace

void add_operations_routes(
    FrontDoor& door,
    std::function<Result<void>()> health,
    std::function<std::string()> metrics_text,
    const std::atomic<bool>& draining
) {
    door.add_open(Method::get, "/healthz/live", simple([] { return Response{.body = "live\n"}; }));
    const auto ready = [health = std::move(health), &draining] {
        if (draining.load()) {
            return http_server::problem(503, "draining", "the program is stopping");
        }
        const Result<void> healthy = health();
        return healthy ? Response{.body = "ready\n"} : answer_error(healthy.error());
    };
    const auto metrics = [text = std::move(metrics_text)] {
        return Response{.content_type = "text/plain; version=0.0.4; charset=utf-8", .body = text()};
    };
    door.add_open(Method::get, "/healthz/ready", simple(ready));
    door.add(keys::Scope::read, Method::get, "/metrics", simple(metrics));
}

}  // namespace footfall::api
