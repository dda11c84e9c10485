#pragma once

#include "api/front_door.h"
#include "jobs/job.h"
#include "tally/tally.h"

namespace footfall::tally {

/// GET /api/v1/tally: events by action and day, the most frequent actions first. GET
/// /api/v1/live/tally: server-sent events; `tally` with the sums of all actions whenever they
/// changed, at most once a second. All must outlive the routes.
void add_routes(
    api::FrontDoor& door, Tally& tally, const Clock& clock, const jobs::Answering& answering
);

}  // namespace footfall::tally
