#pragma once

#include "api/front_door.h"
#include "by_profile/report_desk.h"
#include "people/people.h"
#include "reading/readership.h"
#include "runtime/blocking_pool.h"

namespace footfall::reading::routes {

/// What is answered with. All of it outlives the routes.
struct ReadersSources {
    Readership* readership = nullptr;
    people::People* people = nullptr;
    runtime::BlockingPool* surveys = nullptr;
    by_profile::ReportDesk* by_profile = nullptr;  ///< Null: nobody knows who is one person.
};

/// GET /api/v1/reading/readers: how many read a URL, with `by=profile` how many people they are.
/// No name is told, and no floor holds as in rankings: so it is for the scope people.
void add_readers_route(api::FrontDoor& door, const ReadersSources& sources);

}  // namespace footfall::reading::routes
