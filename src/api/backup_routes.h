#pragma once

#include "api/front_door.h"
#include "backup/desk.h"
#include "runtime/blocking_pool.h"

namespace footfall::api {

/// Adds POST /api/v1/backups, which begins a backup, and GET /api/v1/backups, which tells how far
/// it is and which there are; both for the scope `admin`. What is given must outlive the router.
void add_backup_routes(FrontDoor& door, backup::Desk& desk, runtime::BlockingPool& lookups);

}  // namespace footfall::api
