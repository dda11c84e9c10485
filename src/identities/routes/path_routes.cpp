#include "identities_routes/path_routes.h"

#include "api/answers.h"
#include "http_server/problem.h"
#include "identities/lifetime.h"
#include "identities/normalised.h"
#include "identities/path.h"
#include "identities/said_facts.h"
#include "identities_routes/identity_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
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

/// ?from_identifier=&from_id_name=&from_id_value= where `name` is "from"; as it is known.
Asked<Id> id_parameter(const Guards& guards, const Request& request, std::string_view name) {
    constexpr std::array<std::string_view, 3> names{"identifier", "id_name", "id_value"};
    std::array<std::string, names.size()> parts;
    for (std::size_t at = 0; at < names.size(); ++at) {
        const std::string field = fmt::format("{}_{}", name, names[at]);
        Asked<std::string> part = api::text_parameter(request, field, "");
        if (!part) {
            return std::unexpected(std::move(part).error());
        }
        if (const auto fault = fault_of_part(names[at], *part)) {
            return std::unexpected(api::invalid_input(*fault, field));
        }
        parts[at] = *std::move(part);
    }
    auto& [identifier, id_name, id_value] = parts;
    return normalised(guards, Id{std::move(identifier), std::move(id_name), std::move(id_value)});
}

/// Null: nobody has said anything of it.
const Profile* profile_of(const Resolution& resolution, const Id& id) {
    const auto found = std::ranges::find_if(resolution.profiles, [&](const Profile& profile) {
        return std::ranges::binary_search(profile.members, id, {}, &Member::id);
    });
    return found == resolution.profiles.end() ? nullptr : &*found;
}

Response unknown(std::string_view field) {
    return http_server::problem(
        404, "not-found", "no profile has this id: nobody has said anything of it", field
    );
}

void append_end(
    std::string_view name,
    const std::string& sid,
    const Resolution& resolution,
    const Id& id,
    std::string& json
) {
    json += fmt::format(R"("{}":{{"sid":"{}","id":)", name, sid);
    append_id(id, json);
    json += fmt::format(R"(,"shared":{}}},)", resolution.shared.contains(id));
}

void append_path(
    std::span<const Step> path, const Facts& facts, const Guards& guards, std::string& json
) {
    json += R"("path":[)";
    for (const Step& each : path) {
        json += json.ends_with('[') ? R"({"from":)" : R"(,{"from":)";
        append_id(each.from, json);
        json += R"(,"to":)";
        append_id(each.to, json);
        json += R"(,"fact":)";
        const Fact& link = facts.at(each.link);
        append_fact({.fact = &link, .end = end_of(guards, link)}, json);
        json += '}';
    }
    json += ']';
}

void append_apart(std::span<const KeptApart> apart, const Guards& guards, std::string& json) {
    json += R"("apart":[)";
    for (const KeptApart& each : apart) {
        json += json.ends_with('[') ? "" : ",";
        append_fact(
            {.fact = each.fact,
             .contested = std::string{each.objection ? name_of(*each.objection) : ""},
             .is_void = each.is_void,
             .end = end_of(guards, *each.fact),
             .has_ended = each.has_ended},
            json
        );
    }
    json += ']';
}

/// All of it follows from the same facts and guards, so that the one never contradicts the other.
Response answer_path(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(
            request,
            {"from_identifier",
             "from_id_name",
             "from_id_value",
             "to_identifier",
             "to_id_name",
             "to_id_value"}
        )) {
        return *std::move(refused);
    }
    const Settling& settling = sources.identities->settling();
    const auto guards = settling.guards();
    const Asked<Id> from = id_parameter(*guards, request, "from");
    const Asked<Id> to = id_parameter(*guards, request, "to");
    if (!from || !to) {
        return from ? to.error() : from.error();
    }
    const auto known = settling.know(std::array{*from, *to});
    if (!known) {
        return answer_error(known.error());
    }
    const std::vector<Fact> facts = list_of(known->facts);
    const Resolution resolution = resolve(facts, *guards, known->around);
    const Profile* const one = profile_of(resolution, *from);
    const Profile* const other = profile_of(resolution, *to);
    if (one == nullptr || other == nullptr) {
        return unknown(one == nullptr ? "from_id_value" : "to_id_value");
    }
    const std::vector<TakenLink> links = take_links(facts, *guards, known->around);
    std::string json = fmt::format(R"({{"together":{},)", one == other);
    append_end("from", settling.sid_of(*one), resolution, *from, json);
    append_end("to", settling.sid_of(*other), resolution, *to, json);
    append_path(path_between(links, *from, *to), known->facts, *guards, json);
    json += ',';
    append_apart(
        one == other ? std::vector<KeptApart>{} : what_keeps_apart(facts, links, *one, *other),
        *guards,
        json
    );
    return json_answer(
        json +
        fmt::format(R"(,"provisional":{}}})", is_provisional(sources, std::array{*from, *to}))
    );
}

}  // namespace

void add_path_routes(api::FrontDoor& door, const Sources& sources) {
    door.add(
        keys::Scope::people,
        Method::get,
        "/api/v1/identities/path",
        on_lookups(sources, answer_path)
    );
}

}  // namespace footfall::identities::routes
