#pragma once

#include "api/front_door.h"
#include "timeseries_routes/graphite_sources.h"

namespace footfall::timeseries::routes {

/// GET /tags, /tags/{tag}, /tags/findSeries, /tags/autoComplete/tags and /tags/autoComplete/values,
/// as Graphite answers. All are of series that have tags: those without are in the tree alone. Each
/// is a look at all names with tags (TimeSeries::each_tagged).
void add_tag_routes(api::FrontDoor& door, const GraphiteSources& sources);

}  // namespace footfall::timeseries::routes
