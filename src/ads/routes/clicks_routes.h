#pragma once

#include "ads_routes/sources.h"

namespace footfall::ads::routes {

/// GET /api/v1/resellers/{id}/clicks, the same of publishers, and GET /api/v1/ads/{id}/clicks; with
/// `by=profile` who clicked, where several actors may be one person.
void add_clicks_routes(api::FrontDoor& door, const Sources& sources);

}  // namespace footfall::ads::routes
