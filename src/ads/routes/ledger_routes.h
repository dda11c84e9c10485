#pragma once

#include "ads_routes/sources.h"

namespace footfall::ads::routes {

/// PUT and GET of /api/v1/ledger/months, GET /api/v1/ledger/split, and the lists of resellers and
/// publishers.
void add_ledger_routes(api::FrontDoor& door, const Sources& sources);

}  // namespace footfall::ads::routes
