#pragma once

#include "api/front_door.h"
#include "timeseries_routes/graphite_sources.h"

namespace footfall::timeseries::routes {

/// GET and POST /render: values of series, as Graphite answers.
void add_render_routes(api::FrontDoor& door, const GraphiteSources& sources);

}  // namespace footfall::timeseries::routes
