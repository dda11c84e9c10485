#pragma once

#include "api/front_door.h"
#include "keys/key_registry.h"
#include "keys/sessions.h"
#include "runtime/blocking_pool.h"

namespace footfall::api {

/// API keys: GET and POST /api/v1/keys, DELETE /api/v1/keys/{name}. Signing in at the dashboard:
/// POST, GET and DELETE /api/v1/session, which exchange a key for a cookie. Changes of keys wait
/// for the store in `pool`. All must outlive the routes.
void add_key_routes(
    FrontDoor& door, keys::KeyRegistry& keys, keys::Sessions& sessions, runtime::BlockingPool& pool
);

}  // namespace footfall::api
