#pragma once

#include "identities_routes/sources.h"

namespace footfall::identities::routes {

/// POST /api/v1/identities/decisions, and DELETE of one of them.
void add_decision_routes(api::FrontDoor& door, const Sources& sources);

}  // namespace footfall::identities::routes
