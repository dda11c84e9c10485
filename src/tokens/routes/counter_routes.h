#pragma once

#include "api/front_door.h"
#include "tokens/token_counters.h"
#include "tokens_routes/token_batch.h"

namespace footfall::tokens::routes {

/// The token counters over HTTP: PUT and GET /api/v1/counter/{object}, POST /api/v1/counter.
/// `counters` and `batches` must outlive the routes. Every answer that a write went into leaves
/// once that write is durable.
void add_counter_routes(
    api::FrontDoor& door, tokens::TokenCounters& counters, TokenBatches& batches
);

}  // namespace footfall::tokens::routes
