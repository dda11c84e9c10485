#pragma once

#include "http_server/request.h"
#include "http_server/router.h"

#include <optional>
#include <span>
#include <string>

namespace footfall::api {

/// Without API keys only this machine may ask: the Host must be a loopback name, and an Origin, if
/// a browser sends one, the same. So no page of another site can use the browser of somebody who
/// runs Footfall, nor can a name that was made to point here. Absent: come in.
std::optional<http_server::Response> refuse_stranger(const http_server::Request& request);

/// The public door, for pages of these sites ("https://example.org"): whatever the Host, and
/// without an Origin, as images have none, or with one of theirs. There is nothing to be read
/// behind it. Without any site only this machine may ask. Absent: come in.
std::optional<http_server::Response> refuse_other_sites(
    const http_server::Request& request, std::span<const std::string> sites
);

/// `handler` behind that check.
http_server::Handler guarded(http_server::Handler handler);

}  // namespace footfall::api
