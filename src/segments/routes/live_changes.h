#pragma once

#include "api/event_stream.h"
#include "api/front_door.h"
#include "segments_routes/sources.h"

namespace footfall::segments::routes {

/// GET /api/v1/live/segments/{segment}: server-sent events, one for each change behind ?after= or,
/// where somebody comes back, behind `Last-Event-ID`. All must outlive the router.
///
/// Changes are read from their rows once a second for each stream, so any process has them, and a
/// client that reads slowly has what it did not read yet in no memory but its own connection's. So
/// many streams at once as one process takes (docs/segments.md); more are refused with 503.
void add_live_changes_route(
    api::FrontDoor& door, const Sources& sources, const api::ProgramFacts& facts
);

}  // namespace footfall::segments::routes
