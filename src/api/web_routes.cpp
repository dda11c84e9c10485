#include "api/web_routes.h"

#include "api/front_door.h"
#include "api/web_assets.h"
#include "foundation/siphash.h"

#include <fmt/format.h>

#include <string>

namespace footfall::api {
namespace {

constexpr std::string_view content_security_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src "
    "'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Whether an If-None-Match header names the tag: "*", or the tag in a list, weak or not. Tags have
/// no quotes inside, so finding the quoted tag is enough.
bool names_tag(std::string_view header, std::string_view tag) {
    return header == "*" || header.find(tag) != std::string_view::npos;
}

}  // namespace

void add_web_routes(http_server::Router& router) {
    for (const WebAsset& asset : web_assets()) {
        std::string tag = fmt::format("\"{:016x}\"", siphash13({}, asset.bytes));
        router.add(
            http_server::Method::get,
            asset.path,
            guarded(
                [&asset, tag](http_server::Exchange& exchange) -> std::optional<runtime::Task<>> {
                    http_server::Response& response = exchange.response();
                    response.content_type = asset.content_type;
                    response.headers = {
                        {"ETag", tag},
                        {"Cache-Control", "no-cache"},
                        {"Content-Security-Policy", std::string{content_security_policy}},
                        {"Referrer-Policy", "no-referrer"}
                    };
                    if (names_tag(exchange.request().header("if-none-match"), tag)) {
                        response.status = 304;
                    } else {
                        response.static_body = asset.bytes;
                    }
                    return std::nullopt;
                }
            )
        );
    }
}

}  // namespace footfall::api
