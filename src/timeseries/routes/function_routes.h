#pragma once

#include "api/front_door.h"
#include "timeseries_routes/graphite_sources.h"

namespace footfall::timeseries::routes {

/// GET /functions, /functions/{function} and /version: by what Graphite's clients know which
/// functions they may offer. The version is that of the graphite-web that ours are held to.
void add_function_routes(api::FrontDoor& door, const GraphiteSources& sources);

}  // namespace footfall::timeseries::routes
