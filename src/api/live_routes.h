#pragma once

#include "api/durable_times.h"
#include "api/event_stream.h"
#include "api/front_door.h"
#include "api/largest_cache.h"
#include "tokens/token_counters.h"

namespace footfall::api {

/// GET /api/v1/live/counters: server-sent events, one a closed second, fed by the PUTs of that
/// second as the lanes noted them; the history of the last hour first. All must outlive the routes.
void add_live_routes(
    FrontDoor& door,
    tokens::TokenCounters& counters,
    const DurableTimes& durable_times,
    LargestCache& largest,
    const ProgramFacts& facts
);

}  // namespace footfall::api
