#include "api/web_routes.h"

#include "api/front_door.h"
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

http_server::Handler serve_asset(
    const WebAsset& asset, std::vector<std::pair<std::string, std::string>> headers
) {
    std::string tag = fmt::format("\"{:016x}\"", siphash13({}, asset.bytes));
    headers.emplace_back("ETag", tag);
    return
        [asset, tag = std::move(tag), headers = std::move(headers)](http_server::Exchange& exchange
        ) -> std::optional<runtime::Task<>> {
            http_server::Response& response = exchange.response();
            response.content_type = asset.content_type;
            response.headers = headers;
            if (names_tag(exchange.request().header("if-none-match"), tag)) {
                response.status = 304;
            } else {
                response.static_body = asset.bytes;
            }
            return std::nullopt;
        };
}

void add_web_routes(FrontDoor& door, const WebAssets& assets) {
    for (const WebAsset& asset : assets) {
        door.add_page(
            http_server::Method::get,
            asset.path,
            serve_asset(
                asset,
                {{"Cache-Control", "no-cache"},
                 {"Content-Security-Policy", std::string{content_security_policy}},
                 {"Referrer-Policy", "no-referrer"}}
            )
        );
    }
}

}  // namespace footfall::api
