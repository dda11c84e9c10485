#include "api/collect_routes.h"

#include "api/gzip_body.h"
#include "api/web_routes.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

// #embed is C23; clang 19, our reference compiler, knows it in C++ too.
#pragma clang diagnostic ignored "-Wc23-extensions"

namespace footfall::api {
namespace {

using http_server::Exchange;
using http_server::Method;
using http_server::Response;
using runtime::Task;

constexpr char script[] = {
#embed "collect/footfall.js"
};

/// One transparent pixel: GIF89a, 1 x 1, two colours of which the first is not seen.
constexpr std::string_view pixel{
    "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff"
    "!\xf9\x04\x01\x00\x00\x00\x00"
    ",\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00;",
    43
};

const WebAsset script_asset{
    .path = "/footfall.js",
    .content_type = "text/javascript; charset=utf-8",
    .bytes = {script, sizeof script}
};

constexpr std::string_view pixel_type = "image/gif";

class Collector {
public:
    Collector(CollectOptions options, const Clock& clock)
        : options_{std::move(options)}, clock_{&clock} {}

    std::optional<Response> refuse(const http_server::Request& request) const {
        return options_.refuse(request);
    }

    /// Takes the event that `fields` tell of, with `success` as the answer.
    std::optional<Task<>> take(Exchange& exchange, std::string_view fields, Response success)
        const {
        Asked<CollectedEvent> collected =
            read_collected(exchange.request(), fields, options_.trusted_proxies, clock_->now());
        if (!collected) {
            exchange.response() = std::move(collected).error();
            return std::nullopt;
        }
        // An answer from some cache would be an event that nobody counts.
        success.headers.emplace_back("Cache-Control", "no-store");
        success.headers.emplace_back("Cross-Origin-Resource-Policy", "cross-origin");
        exchange.response() = std::move(success);
        return options_.take(exchange, *std::move(collected));
    }

private:
    const CollectOptions options_;
    const Clock* clock_;
};

}  // namespace

void add_collect_routes(FrontDoor& door, CollectOptions options, const Clock& clock) {
    const auto collector = std::make_shared<const Collector>(std::move(options), clock);
    const auto add = [&](Method method,
                         std::string_view path,
                         http_server::Handler handler,
                         http_server::BodyLimit body = no_body) {
        door.add_open(
            method,
            path,
            std::move(handler),
            body,
            [collector](const http_server::Request& request) { return collector->refuse(request); }
        );
    };
    add(Method::get,
        script_asset.path,
        serve_asset(
            script_asset,
            {{"Cache-Control", "public, max-age=3600"},
             {"Cross-Origin-Resource-Policy", "cross-origin"}}
        ));
    add(Method::post,
        "/footfall",
        [collector](Exchange& exchange) -> std::optional<Task<>> {
            std::string unpacked;
            const auto body = decoded_body(exchange.request(), collected_bytes_max, unpacked);
            if (!body) {
                exchange.response() = body.error();
                return std::nullopt;
            }
            return collector->take(exchange, *body, {.status = 204});
        },
        {.bytes = collected_bytes_max});
    add(Method::get, "/pixel.gif", [collector](Exchange& exchange) {
        return collector->take(
            exchange, exchange.request().query, {.content_type = pixel_type, .static_body = pixel}
        );
    });
}

}  // namespace footfall::api
