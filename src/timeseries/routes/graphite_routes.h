#pragma once

#include "api/front_door.h"
#include "foundation/clock.h"
#include "runtime/blocking_pool.h"
#include "timeseries/time_series.h"

#include <chrono>

namespace footfall::timeseries::routes {

/// What answers need. All of it outlives the routes.
struct GraphiteSources {
    const TimeSeries* series = nullptr;
    const Clock* clock = nullptr;
    runtime::BlockingPool* lookups = nullptr;
    runtime::BlockingPool* surveys = nullptr;
    std::chrono::seconds step{10};  ///< Of graphs.
};

/// GET /render and GET /metrics/find, as Graphite answers them.
void add_graphite_routes(api::FrontDoor& door, const GraphiteSources& sources);

}  // namespace footfall::timeseries::routes
