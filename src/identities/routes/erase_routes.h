#pragma once

#include "api/front_door.h"
#include "http_server/request.h"
#include "identities_routes/shown_profile.h"
#include "identities_routes/sources.h"

#include <string>

namespace footfall::identities::routes {

/// Adds DELETE /api/v1/profiles/{sid}, where people are erased.
void add_erase_route(api::FrontDoor& door, const Sources& sources);

/// By which a profile is told from what it was, or will be: another one for each change of its ids
/// or of what is known of them.
std::string tag_of(const ShownProfile& profile, const DatumRules& rules);

}  // namespace footfall::identities::routes
