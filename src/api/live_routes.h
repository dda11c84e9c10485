#pragma once

#include "api/durable_times.h"
#include "api/largest_cache.h"
#include "http_server/router.h"
#include "tokens/token_counters.h"

#include <string>

namespace footfall::api {

/// What the program says of itself to the dashboard.
struct ProgramFacts {
    std::string version;
    std::string mode;           ///< "serve", or "demo" when the traffic is made up.
    std::string started;        ///< RFC 3339.
    std::string serve_command;  ///< How to start real counting.
};

/// GET /api/v1/live/counters: server-sent events, one a closed second, fed by the PUTs of that
/// second as the lanes noted them; the history of the last hour first. All must outlive the router.
void add_live_routes(
    http_server::Router& router,
    tokens::TokenCounters& counters,
    const DurableTimes& durable_times,
    LargestCache& largest,
    const ProgramFacts& facts
);

}  // namespace footfall::api
