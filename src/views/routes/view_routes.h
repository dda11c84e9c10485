#pragma once

#include "api/front_door.h"
#include "by_profile/report_desk.h"
#include "foundation/clock.h"
#include "foundation/siphash.h"
#include "runtime/blocking_pool.h"
#include "views/views.h"

namespace footfall::views::routes {

/// GET /api/v1/views/{object}: how often and by how many people an object was seen, and why events
/// did not count, for its whole life or a range of days, which may be told by the hour. GET
/// /api/v1/views: the same of all objects together. GET /api/v1/top: the objects with the most
/// people or views. All must outlive the routes; `secret` is the deployment's, which finds an
/// object's lane. `by_profile` counts people for `by=profile`; null: nobody does.
void add_view_routes(
    api::FrontDoor& door,
    Views& views,
    const Clock& clock,
    SipKey secret,
    runtime::BlockingPool& lookups,
    runtime::BlockingPool& surveys,
    by_profile::ReportDesk* by_profile
);

}  // namespace footfall::views::routes
