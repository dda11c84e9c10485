#pragma once

#include "segments_routes/sources.h"

namespace footfall::segments::routes {

/// How many people are in some segments and not in others, and what each two of some share.
void add_algebra_routes(api::FrontDoor& door, const Sources& sources);

}  // namespace footfall::segments::routes
