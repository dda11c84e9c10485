#pragma once

#include "http_server/request.h"
#include "http_server/router.h"

#include <optional>

namespace footfall::api {

/// Without API keys only this machine may ask: the Host must be a loopback name, and an Origin, if
/// a browser sends one, the same. So no page of another site can use the browser of somebody who
/// runs Footfall, nor can a name that was made to point here. Absent: come in.
std::optional<http_server::Response> refuse_stranger(const http_server::Request& request);

/// `handler` behind that check.
http_server::Handler guarded(http_server::Handler handler);

}  // namespace footfall::api
