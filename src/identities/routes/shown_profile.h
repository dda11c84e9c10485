#pragma once

#include "api/parameters.h"
#include "identities/profile_data.h"
#include "identities/resolution.h"
#include "identities_routes/sources.h"

#include <string>
#include <vector>

namespace footfall::identities::routes {

/// A profile as it is now, under the sid that it has now.
struct ShownProfile {
    std::string sid;
    std::vector<Member> members;  ///< By id.
};

/// The profile of the sid that the first placeholder names, also if it has another one since; 404
/// where there never was one.
api::Asked<ShownProfile> profile_in_path(
    const Sources& sources, const http_server::Request& request
);

/// {"sid":..,"ids":[..],"data":{},"data_why":[],"provisional":false}
std::string profile_json(const ShownProfile& profile, const DatumRules& rules, bool is_provisional);

}  // namespace footfall::identities::routes
