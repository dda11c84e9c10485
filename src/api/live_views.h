#pragma once

#include "api/front_door.h"
#include "api/live_routes.h"
#include "intake/intake.h"
#include "runtime/blocking_pool.h"
#include "views/views.h"

namespace footfall::api {

/// GET /api/v1/live/views: server-sent events, one a closed second, of all events; with ?object=
/// also what its views come to, and the events themselves, whenever they changed. All must outlive
/// the router.
void add_live_views_route(
    FrontDoor& door,
    intake::Intake& intake,
    views::Views& views,
    runtime::BlockingPool& lookups,
    const ProgramFacts& facts
);

}  // namespace footfall::api
