#include "identities_routes/decided.h"

#include "api/answers.h"
#include "foundation/check.h"
#include "http_server/problem.h"
#include "identities/fact_rows.h"
#include "identities/said_facts.h"
#include "identities_routes/identity_json.h"
#include "keys/key_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace footfall::identities::routes {

using api::answer_error;
using api::Asked;
using api::invalid_input;
using events::IdentityDecided;
using http_server::Request;

Asked<IdentityDecided> begin_decision(
    const Sources& sources, const Request& request, std::string reason
) {
    Asked<std::string> author = sources.keeper.author(request);
    if (!author) {
        return std::unexpected(std::move(author).error());
    }
    auto id = keys::make_secret();
    if (!id) {
        return std::unexpected(answer_error(id.error()));
    }
    return IdentityDecided{
        .ids = {},
        .reason = std::move(reason),
        .author = *std::move(author),
        .said = sources.identities->clock().now(),
        .id = *std::move(id)
    };
}

void set_about(IdentityDecided& decided, const Fact& about) {
    decided.about.assign(about.id.bytes.begin(), about.id.bytes.end());
    decided.ids = about.ids;
    decided.others = about.others;
}

namespace {

Asked<IdentityDecided> decision_about(
    const IdentityDecided& begun, events::IdentityKind kind, const Fact& about
) {
    auto secret = keys::make_secret();
    if (!secret) {
        return std::unexpected(answer_error(secret.error()));
    }
    IdentityDecided decided = begun;
    decided.id = *std::move(secret);
    decided.kind = kind;
    set_about(decided, about);
    return decided;
}

}  // namespace

Asked<IdentityDecided> reject_of(const IdentityDecided& begun, const Fact& link) {
    return decision_about(begun, events::IdentityKind::reject, link);
}

Asked<IdentityDecided> revoke_of(const IdentityDecided& begun, const Fact& decision) {
    auto revoke = decision_about(begun, events::IdentityKind::revoke, decision);
    if (revoke) {
        revoke->said = std::max(revoke->said, decision.last);
    }
    return revoke;
}

Fact fact_of(const IdentityDecided& decided) {
    auto fact = decision_of(decided);
    CHECK(fact, "a decision of this program names what it is about");
    return *std::move(fact);
}

Asked<Fact> known_fact(const Sources& sources, std::string_view name, std::string_view field) {
    const std::optional<FactId> id = fact_id_of(name);
    if (!id) {
        return std::unexpected(invalid_input("a fact is 32 digits, as /why tells them", field));
    }
    auto found = find_fact(sources.identities->settling().store(), *id);
    if (!found) {
        return std::unexpected(answer_error(found.error()));
    }
    std::optional<Fact> fact = *std::move(found);
    if (!fact) {
        return std::unexpected(
            http_server::problem(404, "not-found", "nobody has said this fact", field)
        );
    }
    return *std::move(fact);
}

std::string outcome_json(
    const Settling& settling,
    const Resolution& resolution,
    std::span<const Id> ids,
    std::span<const Fact> decisions,
    std::size_t decided
) {
    std::string json = R"({"decision":)";
    json += decisions.empty() ? "null" : fmt::format(R"("{}")", text_of(decisions.back().id));
    json += R"(,"decisions":[)";
    for (const Fact& each : decisions) {
        json += fmt::format(R"({}"{}")", json.ends_with('[') ? "" : ",", text_of(each.id));
    }
    json += fmt::format(R"(],"decided":{},"sids":[)", decided);
    const std::vector<std::string> sids = sids_of(settling, resolution, ids);
    for (const std::string& each : sids) {
        json += fmt::format(R"({}"{}")", json.ends_with('[') ? "" : ",", each);
    }
    json += R"(],"profiles":[)";
    for (const Profile& each : resolution.profiles) {
        const std::string sid = settling.sid_of(each);
        if (std::ranges::find(sids, sid) != sids.end()) {
            json += fmt::format(R"({}{{"sid":"{}",)", json.ends_with('[') ? "" : ",", sid);
            append_members(each.members, json);
            json += '}';
        }
    }
    return json + "]}";
}

}  // namespace footfall::identities::routes
