#pragma once

#include "api/front_door.h"
#include "api/token_batch.h"
#include "tokens/token_counters.h"

namespace footfall::api {

/// The token counters over HTTP: PUT and GET /api/v1/counter/{object}, POST /api/v1/counter.
/// `counters` and `batches` must outlive the routes. Every answer that a write went into leaves
/// once that write is durable.
void add_counter_routes(FrontDoor& door, tokens::TokenCounters& counters, TokenBatches& batches);

}  // namespace footfall::api
