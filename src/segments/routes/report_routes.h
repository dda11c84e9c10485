#pragma once

#include "segments_routes/sources.h"

namespace footfall::segments::routes {

/// Overlaps that are counted each day at the same time (segment_reports), and what they were.
void add_report_routes(api::FrontDoor& door, const Sources& sources);

}  // namespace footfall::segments::routes
