#pragma once

#include "api/front_door.h"
#include "segments_routes/sources.h"

namespace footfall::segments::routes {

/// `/api/v1/webhooks` and below: who is told of changes of segments.
void add_hook_routes(api::FrontDoor& door, const Sources& sources);

}  // namespace footfall::segments::routes
