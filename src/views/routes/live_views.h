#pragma once

#include "api/event_stream.h"
#include "api/front_door.h"
#include "intake/intake.h"
#include "runtime/blocking_pool.h"
#include "views/views.h"

namespace footfall::views::routes {

/// GET /api/v1/live/views: server-sent events, one a closed second, of all events; with ?object=
/// also what its views come to, and the events themselves, whenever they changed. All must outlive
/// the router.
void add_live_views_route(
    api::FrontDoor& door,
    intake::Intake& intake,
    Views& views,
    runtime::BlockingPool& lookups,
    const api::ProgramFacts& facts
);

}  // namespace footfall::views::routes
