#include "identities_routes/erase_routes.h"

#include "api/answers.h"
#include "api/erasure_routes.h"
#include "api/flag_parameter.h"
#include "audit/acts.h"
#include "foundation/siphash.h"
#include "http_server/problem.h"
#include "identities/erasing.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::identities::routes {
namespace {

using api::answer_error;
using api::Asked;
using http_server::Request;
using http_server::Response;

/// What would go: the ids, the facts that only they name, and those that would be said without
/// them.
Response tell_what_would_go(const Sources& sources, const std::vector<Id>& ids) {
    const auto known = sources.identities->settling().know(ids);
    if (!known) {
        return answer_error(known.error());
    }
    const auto is_erased = [&](const Id& id, Instant /*recorded*/) {
        return std::ranges::binary_search(ids, id);
    };
    std::size_t gone = 0;
    std::size_t changed = 0;
    for (const auto& [id, fact] : known->facts) {
        Fact left = fact;
        switch (leave(left, is_erased)) {
            case Left::none:
                ++gone;
                break;
            case Left::some:
                ++changed;
                break;
            case Left::all:
                break;
        }
    }
    return api::json_answer(fmt::format(
        R"({{"dry_run":true,"ids":{},"facts":{},"facts_changed":{}}})", ids.size(), gone, changed
    ));
}

/// How acts called the profile, beside its ids: by its name, and by the facts that name its ids.
Asked<std::vector<std::string>> persons_of(
    const Sources& sources, const ShownProfile& profile, const std::vector<Id>& ids
) {
    const auto known = sources.identities->settling().know(ids);
    if (!known) {
        return std::unexpected(answer_error(known.error()));
    }
    std::vector<std::string> persons{audit::person_of_sid(profile.sid)};
    for (const auto& [id, fact] : known->facts) {
        persons.push_back(audit::person_of_fact(text_of(fact.id)));
    }
    return persons;
}

/// Absent: what the request names is what stands.
std::optional<Response> refuse_another(
    const Request& request, const ShownProfile& profile, const DatumRules& rules
) {
    const std::string_view asked = request.header("If-Match");
    if (asked.empty() || asked == "*" || asked == tag_of(profile, rules)) {
        return std::nullopt;
    }
    return http_server::problem(
        412,
        "version-changed",
        "the profile is not what was looked at: If-Match is no ETag of it; look again, and erase "
        "what you see",
        "If-Match"
    );
}

Response erase_profile(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {"dry_run"})) {
        return *std::move(refused);
    }
    const Asked<bool> is_trial = api::flag_parameter(request, "dry_run");
    if (!is_trial) {
        return is_trial.error();
    }
    const Asked<ShownProfile> profile = profile_in_path(sources, request);
    if (!profile) {
        return profile.error();
    }
    if (auto refused = refuse_another(request, *profile, *sources.rules)) {
        return *std::move(refused);
    }
    std::vector<Id> ids;
    ids.reserve(profile->members.size());
    for (const Member& each : profile->members) {
        ids.push_back(each.id);
    }
    if (*is_trial) {
        return tell_what_would_go(sources, ids);
    }
    Asked<std::string> author = sources.keeper.author(request);
    if (!author) {
        return author.error();
    }
    Asked<std::vector<std::string>> persons = persons_of(sources, *profile, ids);
    if (!persons) {
        return persons.error();
    }
    const auto receipt = sources.eraser->erase(
        {.ids = std::move(ids),
         .kind = "profile",
         .author = *std::move(author),
         .persons = *std::move(persons)}
    );
    return receipt ? api::erasure_answer(*receipt) : answer_error(receipt.error());
}

}  // namespace

std::string tag_of(const ShownProfile& profile, const DatumRules& rules) {
    constexpr SipKey public_key{};  // it tells changes apart, and need not be secret
    return fmt::format(
        R"("{:016x}")",
        siphash13(public_key, profile_json(profile, rules, /*is_provisional=*/false))
    );
}

void add_erase_route(api::FrontDoor& door, const Sources& sources) {
    if (sources.eraser != nullptr) {
        door.add(
            keys::Scope::people,
            http_server::Method::del,
            "/api/v1/profiles/{sid}",
            on_saying(sources, erase_profile)
        );
    }
}

}  // namespace footfall::identities::routes
