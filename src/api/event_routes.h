#pragma once

#include "api/event_batch.h"
#include "http_server/router.h"
#include "intake/intake.h"
#include "runtime/blocking_pool.h"

namespace footfall::api {

/// POST /api/v1/events: takes events. GET /api/v1/events/{id}: an event with its verdict and why.
/// GET /api/v1/events: the latest of an object, or of all. All must outlive the router.
void add_event_routes(
    http_server::Router& router,
    intake::Intake& intake,
    EventBatches& batches,
    runtime::BlockingPool& lookups
);

}  // namespace footfall::api
