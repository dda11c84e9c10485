#pragma once

#include "api/front_door.h"
#include "erasure/desk.h"
#include "http_server/request.h"
#include "runtime/blocking_pool.h"

namespace footfall::api {

/// Adds DELETE /api/v1/people/{actor}, how far an erasure is at /api/v1/erasures/{receipt}, and the
/// list of them at /api/v1/erasures, for the scope `admin`: when and how many says something, too.
/// What is given must outlive the router.
void add_erasure_routes(FrontDoor& door, erasure::Desk& eraser, runtime::BlockingPool& lookups);

/// 202 with the receipt.
http_server::Response erasure_answer(const erasure::Receipt& receipt);

}  // namespace footfall::api
