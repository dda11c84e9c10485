#pragma once

#include "api/front_door.h"
#include "people/people.h"
#include "reading/readership.h"
#include "runtime/blocking_pool.h"

namespace footfall::reading::routes {

/// What POST /api/v1/reading/who is answered with. All of it outlives the route.
struct WhoSources {
    Readership* readership = nullptr;
    people::People* people = nullptr;
    runtime::BlockingPool* lookups = nullptr;
};

void add_who_route(api::FrontDoor& door, const WhoSources& sources);

}  // namespace footfall::reading::routes
