#pragma once

#include "ads/live_clicks.h"
#include "api/event_stream.h"
#include "api/front_door.h"
#include "foundation/clock.h"

namespace footfall::ads::routes {

/// GET /api/v1/live/clicks: server-sent events, one a closed second, of all clicks, or those of
/// ?ad=, of ?reseller=, or of both. All must outlive the router.
void add_live_click_route(
    api::FrontDoor& door, LiveClicks& clicks, const Clock& clock, const api::ProgramFacts& facts
);

}  // namespace footfall::ads::routes
