#pragma once

#include "api/front_door.h"
#include "foundation/clock.h"
#include "runtime/blocking_pool.h"
#include "timeseries/time_series.h"
#include "timeseries_routes/point_intake.h"

namespace footfall::timeseries::routes {

/// What answers need. All of it outlives the routes.
struct KairosSources {
    const TimeSeries* series = nullptr;
    PointIntake* intake = nullptr;
    const Clock* clock = nullptr;
    runtime::BlockingPool* lookups = nullptr;
    runtime::BlockingPool* surveys = nullptr;
};

/// /api/v1/datapoints, questions about them, names, health and version, as KairosDB answers them.
void add_kairos_routes(api::FrontDoor& door, const KairosSources& sources);

}  // namespace footfall::timeseries::routes
