#include "identities_routes/profile_routes.h"

#include "api/answers.h"
#include "http_server/problem.h"
#include "identities/lifetime.h"
#include "identities/sid.h"
#include "identities/standing.h"
#include "identities_routes/decision_routes.h"
#include "identities_routes/detach_routes.h"
#include "identities_routes/erase_routes.h"
#include "identities_routes/identity_json.h"
#include "identities_routes/shown_profile.h"
#include "identities_routes/undo_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace footfall::identities::routes {
namespace {

using api::answer_error;
using api::Asked;
using api::json_answer;
using http_server::Method;
using http_server::Request;
using http_server::Response;

std::vector<Id> ids_of_members(std::span<const Member> members) {
    std::vector<Id> ids;
    ids.reserve(members.size());
    for (const Member& each : members) {
        ids.push_back(each.id);
    }
    return ids;
}

Response show(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refused);
    }
    const Asked<ShownProfile> profile = profile_in_path(sources, request);
    if (!profile) {
        return profile.error();
    }
    Response response = json_answer(profile_json(
        *profile, *sources.rules, is_provisional(sources, ids_of_members(profile->members))
    ));
    response.headers.emplace_back("ETag", tag_of(*profile, *sources.rules));
    return response;
}

/// Whether the fact has to do with this profile: it names one of its ids.
bool names_one(const Fact& fact, const std::set<Id>& members) {
    return std::ranges::any_of(ids_of(fact), [&](const Id& each) {
        return members.contains(each);
    });
}

/// What is told as the objection to a fact. What a shared id is linked with is not looked at, so
/// nothing was found to object where links that name it unite nobody with it.
std::string objection_to(
    const Fact& fact, const std::map<FactId, std::string>& contested, const std::set<Id>& shared
) {
    if (const auto found = contested.find(fact.id); found != contested.end()) {
        return found->second;
    }
    const bool names_shared =
        std::ranges::any_of(fact.ids, [&](const Id& each) { return shared.contains(each); });
    return fact.kind == FactKind::link && names_shared ? std::string{name_of(Objection::shared)}
                                                       : std::string{};
}

/// In the order in which they were said.
std::string why_json(
    const Neighbourhood& known, const Guards& guards, const std::set<Id>& members
) {
    std::vector<Fact> facts = list_of(known.facts);
    std::ranges::sort(facts, {}, [](const Fact& each) { return std::pair{each.first, each.id}; });
    const std::vector<bool> taken = taken_back(facts);
    std::map<FactId, std::string> contested;
    for (const Contested& each : known.resolution.contested) {
        contested.emplace(each.fact, name_of(each.objection));
    }
    std::string json = R"({"facts":[)";
    for (std::size_t at = 0; at < facts.size(); ++at) {
        if (!names_one(facts[at], members)) {
            continue;
        }
        json += json.ends_with('[') ? "" : ",";
        const bool ended = has_ended(guards, facts[at], known.around.now);
        append_fact(
            {.fact = &facts[at],
             .contested = taken[at] || ended
                              ? std::string{}
                              : objection_to(facts[at], contested, known.resolution.shared),
             .is_void = taken[at],
             .end = end_of(guards, facts[at]),
             .has_ended = ended},
            json
        );
    }
    return json + "]}";
}

Response why(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refused);
    }
    const Asked<ShownProfile> profile = profile_in_path(sources, request);
    if (!profile) {
        return profile.error();
    }
    const std::vector<Id> ids = ids_of_members(profile->members);
    const Settling& settling = sources.identities->settling();
    const auto guards = settling.guards();
    const auto known = settling.know(ids);
    return known ? json_answer(why_json(*known, *guards, {ids.begin(), ids.end()}))
                 : answer_error(known.error());
}

}  // namespace

void add_profile_routes(api::FrontDoor& door, const Sources& sources) {
    const auto add = [&](std::string_view rest, Answer answer) {
        door.add(
            keys::Scope::people,
            Method::get,
            fmt::format("/api/v1/profiles/{{sid}}{}", rest),
            on_lookups(sources, std::move(answer))
        );
    };
    add("", show);
    add("/why", why);
    add_decision_routes(door, sources);
    add_detach_routes(door, sources);
    add_undo_routes(door, sources);
}

}  // namespace footfall::identities::routes
