#pragma once

#include "api/front_door.h"
#include "foundation/clock.h"
#include "foundation/siphash.h"
#include "rankings/trends.h"
#include "runtime/blocking_pool.h"
#include "views/views.h"

namespace footfall::views::routes {

/// What trends and what is hot are answered with. All of it outlives the routes.
struct TrendSources {
    Views* views;
    rankings::Trends* trends;
    const Clock* clock;
    SipKey secret;  ///< Of lanes.
    runtime::BlockingPool* surveys;
};

/// GET /api/v1/trending, GET /api/v1/hot.
void add_trend_routes(api::FrontDoor& door, const TrendSources& sources);

}  // namespace footfall::views::routes
