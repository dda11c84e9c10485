#pragma once

#include "identities_routes/sources.h"

namespace footfall::identities::routes {

/// GET /api/v1/identities/contested: links that unite nobody, for people to decide about.
void add_contested_routes(api::FrontDoor& door, const Sources& sources);

}  // namespace footfall::identities::routes
