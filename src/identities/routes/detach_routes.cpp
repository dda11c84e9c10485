#include "identities_routes/detach_routes.h"

#include "api/answers.h"
#include "api/flag_parameter.h"
#include "api/small_json.h"
#include "events/control.h"
#include "identities/normalised.h"
#include "identities/standing.h"
#include "identities_routes/decided.h"
#include "identities_routes/identity_json.h"
#include "identities_routes/links_of_source.h"
#include "identities_routes/shown_profile.h"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace footfall::identities::routes {
namespace {

using api::answer_error;
using api::Asked;
using api::invalid_input;
using api::json_answer;
using events::IdentityDecided;
using events::IdentityKind;
using http_server::Request;
using http_server::Response;

/// As many ids as a profile may have, each of three long texts.
constexpr std::size_t detach_bytes_max = 1 << 20;
constexpr std::size_t detached_max = 1000;
constexpr std::size_t rejected_max = 10'000;

/// A parting between these ids and the rest of the profile.
Asked<std::vector<IdentityDecided>> part(
    IdentityDecided decided, const ShownProfile& profile, std::vector<Id> ids
) {
    std::vector<Id> rest;
    std::size_t inside = 0;
    for (const Member& each : profile.members) {
        if (std::ranges::binary_search(ids, each.id)) {
            ++inside;
        } else {
            rest.push_back(each.id);
        }
    }
    if (inside < ids.size()) {
        return std::unexpected(invalid_input("ids names one that is not in this profile", "ids"));
    }
    if (rest.empty()) {
        return std::unexpected(
            invalid_input("ids are all of this profile: nobody would be left to part from", "ids")
        );
    }
    decided.kind = IdentityKind::parting;
    decided.ids = std::move(ids);
    decided.others = std::move(rest);
    return std::vector{std::move(decided)};
}

bool names_member(const Fact& fact, const ShownProfile& profile) {
    return std::ranges::any_of(profile.members, [&](const Member& each) {
        return std::ranges::binary_search(fact.ids, each.id);
    });
}

/// What a detach is about: a profile, and what is known of it.
struct Detached {
    const ShownProfile* profile = nullptr;
    std::vector<Id> members;
    const Neighbourhood* known = nullptr;
};

/// The link of this name, which names an id of the profile.
Asked<Fact> named_link(
    const Sources& sources, const Detached& detached, const boost::json::value& value
) {
    const auto* const text = value.if_string();
    const std::string_view name =
        text == nullptr ? std::string_view{} : std::string_view{text->data(), text->size()};
    const auto found = detached.known->facts.find(fact_id_of(name).value_or(FactId{}));
    // Of a shared id not all facts are known here.
    Asked<Fact> fact = found == detached.known->facts.end() ? known_fact(sources, name, "facts")
                                                            : Asked<Fact>{found->second};
    if (!fact) {
        return fact;
    }
    if (fact->kind != FactKind::link) {
        return std::unexpected(invalid_input(
            "facts names a decision: DELETE /api/v1/identities/decisions/{decision} takes it back",
            "facts"
        ));
    }
    if (!names_member(*fact, *detached.profile)) {
        return std::unexpected(
            invalid_input("facts names one that says nothing of this profile", "facts")
        );
    }
    return fact;
}

Asked<Facts> named_links(
    const Sources& sources, const Detached& detached, const boost::json::array& names
) {
    Facts links;
    for (const boost::json::value& each : names) {
        Asked<Fact> link = named_link(sources, detached, each);
        if (!link) {
            return std::unexpected(std::move(link).error());
        }
        const FactId id = link->id;
        links.emplace(id, *std::move(link));
    }
    return links;
}

Asked<Facts> links_of(const Detached& detached, const LinksOfSource& of_source) {
    Facts links;
    for (const auto& [id, fact] : detached.known->facts) {
        if (of_source.has(fact) && names_member(fact, *detached.profile)) {
            links.emplace(id, fact);
        }
    }
    if (links.size() > rejected_max) {
        return std::unexpected(invalid_input(
            fmt::format("links are more than {}; name a shorter time", rejected_max), "links"
        ));
    }
    return links;
}

/// A reject of each of these links, but of those that do not hold already: so a detach that is sent
/// again decides nothing.
Asked<std::vector<IdentityDecided>> reject_each(
    const Detached& detached, const IdentityDecided& begun, const Facts& links
) {
    const std::vector<Fact> facts = list_of(detached.known->facts);
    const std::vector<bool> taken = taken_back(facts);
    std::set<FactId> rejected;
    for (std::size_t at = 0; at < facts.size(); ++at) {
        if (taken[at]) {
            rejected.insert(facts[at].id);
        }
    }
    std::vector<IdentityDecided> decisions;
    for (const auto& [id, link] : links) {
        if (rejected.contains(id)) {
            continue;
        }
        Asked<IdentityDecided> decided = reject_of(begun, link);
        if (!decided) {
            return std::unexpected(std::move(decided).error());
        }
        decisions.push_back(*std::move(decided));
    }
    return decisions;
}

Asked<std::vector<IdentityDecided>> read_detach(
    const Sources& sources, const Request& request, const Detached& detached
) {
    const auto body = api::small_json_body(request, {"ids", "facts", "links", "reason"});
    if (!body) {
        return std::unexpected(body.error());
    }
    Asked<std::vector<Id>> ids = read_ids(*body, "ids", detached_max);
    Asked<std::string> reason = read_text(*body, "reason", longest_reason);
    const auto of_source = read_links_of_source(*body);
    if (!ids || !reason || !of_source) {
        return std::unexpected(!ids ? ids.error() : !reason ? reason.error() : of_source.error());
    }
    const auto* const named = body->if_contains("facts");
    const auto* const facts = named == nullptr ? nullptr : named->if_array();
    const bool names_facts = facts != nullptr && !facts->empty();
    const int ways =
        (ids->empty() ? 0 : 1) + (names_facts ? 1 : 0) + (of_source->has_value() ? 1 : 0);
    if (ways != 1 || (names_facts && facts->size() > rejected_max)) {
        return std::unexpected(invalid_input(
            fmt::format(
                "name ids that are somebody else, or up to {} facts that are wrong, or links of a "
                "source, and not both",
                rejected_max
            ),
            "ids"
        ));
    }
    Asked<IdentityDecided> decided = begin_decision(sources, request, *std::move(reason));
    if (!decided) {
        return std::unexpected(std::move(decided).error());
    }
    if (!ids->empty()) {
        return part(
            *std::move(decided),
            *detached.profile,
            normalised(*sources.identities->settling().guards(), *std::move(ids))
        );
    }
    const std::optional<LinksOfSource>& source = *of_source;
    const Asked<Facts> links =
        source ? links_of(detached, *source) : named_links(sources, detached, *facts);
    return links ? reject_each(detached, *decided, *links)
                 : Asked<std::vector<IdentityDecided>>{std::unexpected(links.error())};
}

/// What is too much together to be looked at is tried before anything is said.
Response detach(const Sources& sources, const Request& request) {
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
    Detached detached{.profile = &*profile, .members = {}};
    for (const Member& each : profile->members) {
        detached.members.push_back(each.id);
    }
    const Settling& settling = sources.identities->settling();
    const auto before = settling.know(detached.members);
    if (!before) {
        return answer_error(before.error());
    }
    detached.known = &*before;
    const auto decisions = read_detach(sources, request, detached);
    if (!decisions) {
        return decisions.error();
    }
    std::vector<Fact> facts;
    std::ranges::transform(*decisions, std::back_inserter(facts), fact_of);
    auto known = settling.know(detached.members, facts);
    if (known && !*is_trial && !facts.empty()) {
        known = say_each_and_settle(sources, *decisions, facts, detached.members);
    }
    if (!known) {
        return answer_error(known.error());
    }
    return json_answer(outcome_json(
        settling,
        known->resolution,
        detached.members,
        *is_trial ? std::span<const Fact>{} : std::span<const Fact>{facts},
        decisions->size()
    ));
}

}  // namespace

void add_detach_routes(api::FrontDoor& door, const Sources& sources) {
    const api::ActKind detached{
        .kind = "detached",
        .about = api::ActAbout::persons,
        .has_trial = true,
        .person_in_path = audit::person_of_sid
    };
    door.acting(detached).add(
        keys::Scope::people,
        http_server::Method::post,
        "/api/v1/profiles/{sid}/detach",
        on_saying(sources, detach),
        {.bytes = detach_bytes_max}
    );
}

}  // namespace footfall::identities::routes
