#pragma once

#include "identities_routes/sources.h"

namespace footfall::identities::routes {

/// POST /api/v1/identities/undo, /api/v1/identities/revoke.
void add_undo_routes(api::FrontDoor& door, const Sources& sources);

}  // namespace footfall::identities::routes
