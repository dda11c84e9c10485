#pragma once

#include "ads_routes/sources.h"

namespace footfall::ads::routes {

/// PUT and DELETE /api/v1/resellers/{id}/rates/{day}, GET .../rates, and the same of publishers.
void add_rate_routes(api::FrontDoor& door, const Sources& sources);

}  // namespace footfall::ads::routes
