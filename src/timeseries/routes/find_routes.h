#pragma once

#include "api/front_door.h"
#include "timeseries_routes/graphite_sources.h"

namespace footfall::timeseries::routes {

/// GET and POST /metrics/find, GET /metrics/expand and GET /metrics/index.json: names of series,
/// as Graphite answers.
void add_find_routes(api::FrontDoor& door, const GraphiteSources& sources);

}  // namespace footfall::timeseries::routes
