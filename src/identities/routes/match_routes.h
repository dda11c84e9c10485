#pragma once

#include "identities_routes/sources.h"

namespace footfall::identities::routes {

/// POST /api/v1/identities/match, and GET /api/v1/identities/{identifier}/{id_name}/{id_value}.
void add_match_routes(api::FrontDoor& door, const Sources& sources);

}  // namespace footfall::identities::routes
