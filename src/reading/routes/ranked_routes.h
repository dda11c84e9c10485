#pragma once

#include "api/front_door.h"
#include "reading/friends_reads.h"
#include "reading/ranked_reads.h"
#include "runtime/blocking_pool.h"

namespace footfall::reading::routes {

/// What the rankings of reading are answered with. All of it outlives the routes.
struct RankedSources {
    RankedReads* ranked = nullptr;
    FriendsReads* friends = nullptr;
    runtime::BlockingPool* surveys = nullptr;
};

/// GET /api/v1/reading/popular, /trending and /activity.
void add_ranked_routes(api::FrontDoor& door, const RankedSources& sources);

}  // namespace footfall::reading::routes
