#pragma once

#include "api/front_door.h"
#include "foundation/clock.h"
#include "people/people.h"
#include "runtime/blocking_pool.h"

namespace footfall::reading::routes {

/// What the routes of people are answered with. All of it outlives them.
struct PeopleSources {
    people::People* people = nullptr;
    const Clock* clock = nullptr;
    runtime::BlockingPool* lookups = nullptr;  ///< For one person.
    runtime::BlockingPool* surveys = nullptr;  ///< For many.
};

/// Adds /api/v1/people: consent and friends, said and asked.
void add_people_routes(api::FrontDoor& door, const PeopleSources& sources);

}  // namespace footfall::reading::routes
