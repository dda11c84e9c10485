#pragma once

#include "segments_routes/sources.h"

namespace footfall::segments::routes {

/// Which segments there are, their sizes, and their changes; and to take one away.
void add_segment_routes(api::FrontDoor& door, const Sources& sources);

}  // namespace footfall::segments::routes
