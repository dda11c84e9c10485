#pragma once

#include "api/event_batch.h"
#include "api/front_door.h"
#include "intake/intake.h"
#include "runtime/blocking_pool.h"

namespace footfall::api {

/// POST /api/v1/events: takes events. `batches` must outlive the route.
void add_event_post_route(FrontDoor& door, EventBatches& batches);

/// GET /api/v1/events/{id}: an event with its verdict and why. GET /api/v1/events: the latest of an
/// object, or of all. All must outlive the routes.
void add_event_lookup_routes(
    FrontDoor& door,
    intake::Intake& intake,
    runtime::BlockingPool& lookups,
    runtime::BlockingPool& surveys
);

}  // namespace footfall::api
