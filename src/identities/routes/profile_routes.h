#pragma once

#include "identities_routes/sources.h"

namespace footfall::identities::routes {

/// GET /api/v1/profiles/{sid} and .../why, and what is decided about profiles (decision_routes.h).
void add_profile_routes(api::FrontDoor& door, const Sources& sources);

}  // namespace footfall::identities::routes
