#pragma once

#include "api/durable_times.h"
#include "api/event_stream.h"
#include "api/front_door.h"
#include "tokens/token_counters.h"
#include "tokens_routes/largest_cache.h"

namespace footfall::tokens::routes {

/// GET /api/v1/live/counters: server-sent events, one a closed second, fed by the PUTs of that
/// second as the lanes noted them; the history of the last hour first. All must outlive the routes.
void add_live_counters_route(
    api::FrontDoor& door,
    tokens::TokenCounters& counters,
    const api::DurableTimes& durable_times,
    LargestCache& largest,
    const api::ProgramFacts& facts
);

}  // namespace footfall::tokens::routes
