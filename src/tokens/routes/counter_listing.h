#pragma once

#include "api/front_door.h"
#include "runtime/blocking_pool.h"
#include "storage/store.h"
#include "tokens/object_listing.h"
#include "tokens/token_counters.h"

#include <span>
#include <string>

namespace footfall::tokens::routes {

/// [{"object":"/a","count":43,"exact":true,"at_least":false}, ..]
std::string json_of(std::span<const tokens::ListedObject> objects);

/// GET /api/v1/counters: every stored object of a counter, by count or by name. The lookups run in
/// `pool`. All must outlive the routes.
void add_listing_routes(
    api::FrontDoor& door,
    storage::Store& store,
    tokens::TokenCounters& counters,
    runtime::BlockingPool& pool
);

}  // namespace footfall::tokens::routes
