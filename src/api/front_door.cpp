#include "api/front_door.h"

#include "http_server/problem.h"

#include <algorithm>
#include <string>
#include <utility>

namespace footfall::api {
namespace {

/// The host of "host:port", with the brackets of an IPv6 address.
std::string_view without_port(std::string_view host) {
    if (host.starts_with('[')) {
        return host.substr(0, host.find(']') + 1);
    }
    return host.substr(0, host.find(':'));
}

bool is_loopback(std::string_view host) {
    const std::string_view name = without_port(host);
    return name == "localhost" || name == "[::1]" ||
           (name.starts_with("127.") && std::ranges::all_of(name, [](char letter) {
                return (letter >= '0' && letter <= '9') || letter == '.';
            }));
}

}  // namespace

std::optional<http_server::Response> refuse_stranger(const http_server::Request& request) {
    const std::string_view host = request.known.host;
    if (!is_loopback(host)) {
        return http_server::problem(
            403,
            "host-not-loopback",
            "without API keys footfall answers only requests to a loopback name such as 127.0.0.1 "
            "or localhost",
            "Host"
        );
    }
    const std::string_view origin = request.known.origin;
    if (!origin.empty() && origin != "http://" + std::string{host}) {
        return http_server::problem(
            403,
            "other-origin",
            "without API keys footfall answers no page of another site",
            "Origin"
        );
    }
    return std::nullopt;
}

std::optional<http_server::Response> refuse_other_sites(
    const http_server::Request& request, std::span<const std::string> sites
) {
    if (sites.empty()) {
        return refuse_stranger(request);
    }
    const std::string_view origin = request.known.origin;
    if (origin.empty() || std::ranges::find(sites, origin) != sites.end()) {
        return std::nullopt;
    }
    return http_server::problem(
        403,
        "other-origin",
        "pages of this site are not counted here: it is none of those that the setting `sites` "
        "names",
        "Origin"
    );
}

http_server::Handler guarded(http_server::Handler handler) {
    return [handler = std::move(handler)](http_server::Exchange& exchange
           ) -> std::optional<runtime::Task<>> {
        if (auto refusal = refuse_stranger(exchange.request())) {
            exchange.response() = *std::move(refusal);
            return std::nullopt;
        }
        return handler(exchange);
    };
}

}  // namespace footfall::api
