#pragma once

#include "ads_routes/sources.h"

namespace footfall::ads::routes {

/// GET /api/v1/resellers/{id}/statements/{month} as HTML, CSV or JSON, and the same of publishers.
void add_statement_routes(api::FrontDoor& door, const Sources& sources);

/// "2026-10" at a placeholder of the path.
api::Asked<Month> month_in_path(const http_server::Request& request, std::size_t at);

}  // namespace footfall::ads::routes
