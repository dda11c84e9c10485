#pragma once

#include "api/front_door.h"
#include "segments/segments.h"
#include "segments_routes/sources.h"

#include <string>

namespace footfall::segments::routes {

/// A rule and who wrote it when, as fields of the answer about its segment.
std::string rule_fields(const Segments::ShownRule& rule);

/// Says by which rule a segment fills itself, or takes that away.
void add_rule_routes(api::FrontDoor& door, const Sources& sources);

}  // namespace footfall::segments::routes
