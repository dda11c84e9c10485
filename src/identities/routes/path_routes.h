#pragma once

#include "api/front_door.h"
#include "identities_routes/sources.h"

namespace footfall::identities::routes {

/// GET /api/v1/identities/path: why two ids are in one profile, or what keeps them apart.
void add_path_routes(api::FrontDoor& door, const Sources& sources);

}  // namespace footfall::identities::routes
