#pragma once

#include "segments_routes/sources.h"

namespace footfall::segments::routes {

/// Members in and out, and whether somebody is one.
void add_members_routes(api::FrontDoor& door, const Sources& sources);

}  // namespace footfall::segments::routes
