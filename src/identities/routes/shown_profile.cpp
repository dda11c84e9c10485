#include "identities_routes/shown_profile.h"

#include "api/answers.h"
#include "http_server/problem.h"
#include "identities/profile_rows.h"
#include "identities/sid.h"
#include "identities_routes/identity_json.h"
#include "runtime/moment.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

namespace footfall::identities::routes {
namespace {

using api::Asked;

/// Absent: it has no rows.
Result<std::optional<ShownProfile>> read_by_sid(storage::Store& store, const std::string& sid) {
    TRY(StoredProfiles stored, read_profiles(store, {sid}));
    if (stored.empty()) {
        return std::nullopt;
    }
    return ShownProfile{.sid = sid, .members = std::move(stored.begin()->second)};
}

/// The id it was named after is in one profile or another, always. Between two looks others may
/// write where: then it is looked again.
Result<std::optional<ShownProfile>> read_now(const IndexLevels& levels, const std::string& sid) {
    storage::Store& store = levels.store();
    constexpr int looks_max = 20;
    for (int look = 0; look < looks_max; ++look) {
        TRY(auto profile, read_by_sid(store, sid));
        if (profile) {
            return profile;
        }
        TRY(const auto anchor, read_anchor(store, sid));
        if (!anchor) {
            return std::nullopt;
        }
        TRY(const Index index, read_index(levels, {&*anchor, 1}));
        if (!index.empty()) {
            TRY(profile, read_by_sid(store, index.begin()->second.sid));
        }
        if (profile) {
            return profile;
        }
        runtime::wait_a_moment(std::chrono::milliseconds{10});
    }
    return fail(ErrorKind::unavailable, "this profile is just being written; try again");
}

}  // namespace

Asked<ShownProfile> profile_in_path(const Sources& sources, const http_server::Request& request) {
    const Asked<std::string> sid = api::part_of_path(request, 0, "sid");
    if (!sid) {
        return std::unexpected(sid.error());
    }
    auto profile = looks_like_sid(*sid) ? read_now(sources.identities->settling().levels(), *sid)
                                        : Result<std::optional<ShownProfile>>{std::nullopt};
    if (!profile) {
        return std::unexpected(api::answer_error(profile.error()));
    }
    if (!*profile) {
        return std::unexpected(http_server::problem(
            404,
            "not-found",
            "there is no profile of this sid; /api/v1/identities/{identifier}/{id_name}/{id_value} "
            "tells that of an id",
            "sid"
        ));
    }
    return **std::move(profile);
}

std::string profile_json(
    const ShownProfile& profile, const DatumRules& rules, bool is_provisional
) {
    std::string json = fmt::format(R"({{"sid":"{}",)", profile.sid);
    append_members(profile.members, json);
    json += ',';
    append_data(winners(profile.members, rules), json);
    return json + fmt::format(R"(,"provisional":{}}})", is_provisional);
}

}  // namespace footfall::identities::routes
