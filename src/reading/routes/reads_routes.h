#pragma once

#include "api/front_door.h"
#include "foundation/clock.h"
#include "people/people.h"
#include "reading/readership.h"
#include "runtime/blocking_pool.h"

namespace footfall::reading::routes {

/// What /api/v1/people/{actor}/reads is answered with. All of it outlives the routes.
struct ReadsSources {
    Readership* readership = nullptr;
    people::People* people = nullptr;
    const Clock* clock = nullptr;
    runtime::BlockingPool* surveys = nullptr;
};

/// A person's own list, and taking back what is on it.
void add_reads_routes(api::FrontDoor& door, const ReadsSources& sources);

}  // namespace footfall::reading::routes
