#pragma once

#include "identities_routes/sources.h"

namespace footfall::identities::routes {

/// POST /api/v1/profiles/{sid}/detach.
void add_detach_routes(api::FrontDoor& door, const Sources& sources);

}  // namespace footfall::identities::routes
