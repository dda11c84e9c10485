#pragma once

#include "api/front_door.h"
#include "owners/owner_desk.h"
#include "runtime/blocking_pool.h"

namespace footfall::api {

/// POST /internal/v1/owners: what other processes of the deployment ask of the lanes that are
/// counted here. For whoever shows a proof; no part of the API. All must outlive the routes.
void add_owner_route(
    FrontDoor& door, const owners::OwnerDesk& desk, runtime::BlockingPool& lookups
);

}  // namespace footfall::api
