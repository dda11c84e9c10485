#include "identities_routes/decision_routes.h"

#include "api/answers.h"
#include "api/flag_parameter.h"
#include "api/small_json.h"
#include "events/control.h"
#include "http_server/problem.h"
#include "identities/fact_rows.h"
#include "identities/normalised.h"
#include "identities_routes/decided.h"
#include "identities_routes/identity_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace footfall::identities::routes {
namespace {

using api::answer_error;
using api::Asked;
using api::invalid_input;
using api::json_answer;
using events::IdentityDecided;
using events::IdentityKind;
using http_server::Method;
using http_server::Request;
using http_server::Response;

Result<Neighbourhood> say_decision(const Sources& sources, const IdentityDecided& decided) {
    const Fact fact = fact_of(decided);
    return say_and_settle(sources, fact, [&] {
        return sources.collector->say(decided, {{sources.identities->lane_of(holders_of(fact))}});
    });
}

Response answer_decision(const Sources& sources, const IdentityDecided& decided) {
    if (const auto said = say_decision(sources, decided); !said) {
        return answer_error(said.error());
    }
    const Settling& settling = sources.identities->settling();
    const Fact fact = fact_of(decided);
    const auto known = settling.know(ids_of(fact));
    return known
               ? json_answer(outcome_json(settling, known->resolution, ids_of(fact), {&fact, 1}, 1))
               : answer_error(known.error());
}

/// What would follow, by which nothing is recorded.
Response answer_trial(const Sources& sources, const IdentityDecided& decided) {
    const Settling& settling = sources.identities->settling();
    const Fact fact = fact_of(decided);
    const auto known = settling.know(ids_of(fact), {&fact, 1});
    return known ? json_answer(outcome_json(settling, known->resolution, ids_of(fact), {}, 1))
                 : answer_error(known.error());
}

/// Why no decision lifts this id; absent: one does. `known` without it, `lifted` with it.
std::optional<Response> why_not_lifted(
    const Settling& settling, const Id& id, const Neighbourhood& known, const Neighbourhood& lifted
) {
    const auto is_of = [&](const Profile& profile) {
        return std::ranges::any_of(profile.members, [&](const Member& each) {
            return each.id == id;
        });
    };
    if (std::ranges::none_of(known.resolution.profiles, is_of)) {
        return http_server::problem(404, "not-found", "nobody has linked this id", "id");
    }
    if (is_never(*settling.guards(), id)) {
        return http_server::problem(
            409,
            "conflict",
            fmt::format(
                "this id is one of `never` of the network {}, which no decision lifts: take it out "
                "of the settings if it stands for somebody",
                id.identifier
            ),
            "id"
        );
    }
    if (!known.resolution.shared.contains(id)) {
        return http_server::problem(
            409, "conflict", "this id is not shared, so there is nothing to lift", "id"
        );
    }
    if (lifted.resolution.shared.contains(id)) {
        return http_server::problem(
            409,
            "conflict",
            fmt::format(
                "this id is linked with more than {} others: so many are nobody's, and it stays "
                "shared",
                most_others(*settling.guards(), id, /*is_lifted=*/true)
            ),
            "id"
        );
    }
    return std::nullopt;
}

/// Sent again it decides nothing.
Response lift(
    const Sources& sources, IdentityDecided decided, const boost::json::object& body, bool is_trial
) {
    const auto* const named = body.if_contains("id");
    Asked<Id> sent = read_id(named == nullptr ? boost::json::value{} : *named, "id");
    if (!sent) {
        return sent.error();
    }
    const Settling& settling = sources.identities->settling();
    const Id id = normalised(*settling.guards(), *std::move(sent));
    decided.kind = IdentityKind::lift;
    decided.ids = {id};
    const auto known = settling.know({&id, 1});
    if (!known) {
        return answer_error(known.error());
    }
    if (is_lifted(known->facts, id) && !known->resolution.shared.contains(id)) {
        return json_answer(outcome_json(settling, known->resolution, {&id, 1}, {}, 0));
    }
    // What is too much together to be looked at is tried before anything is said.
    const Fact fact = fact_of(decided);
    const auto lifted = settling.know({&id, 1}, {&fact, 1});
    if (!lifted) {
        return answer_error(lifted.error());
    }
    if (auto refused = why_not_lifted(settling, id, *known, *lifted)) {
        return *std::move(refused);
    }
    return is_trial ? answer_trial(sources, decided) : answer_decision(sources, decided);
}

Response accept_or_reject(
    const Sources& sources, IdentityDecided decided, std::string_view name, bool is_trial
) {
    const Asked<Fact> fact = known_fact(sources, name, "fact");
    if (!fact) {
        return fact.error();
    }
    if (fact->kind != FactKind::link) {
        return invalid_input("fact is a decision, and only links are accepted or rejected", "fact");
    }
    set_about(decided, *fact);
    return is_trial ? answer_trial(sources, decided) : answer_decision(sources, decided);
}

Response decide(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {"dry_run"})) {
        return *std::move(refused);
    }
    const Asked<bool> is_trial = api::flag_parameter(request, "dry_run");
    const auto body = api::small_json_body(request, {"kind", "fact", "id", "reason"});
    if (!is_trial || !body) {
        return is_trial ? body.error() : is_trial.error();
    }
    const Asked<std::string> kind = read_text(*body, "kind", longest_reason);
    const Asked<std::string> name = read_text(*body, "fact", longest_reason);
    Asked<std::string> reason = read_text(*body, "reason", longest_reason);
    if (!kind || !name || !reason) {
        return !kind ? kind.error() : !name ? name.error() : reason.error();
    }
    const bool is_lift = *kind == "lift";
    if (!is_lift && *kind != "accept" && *kind != "reject") {
        return invalid_input(R"(kind is "accept", "reject" or "lift")", "kind");
    }
    if (body->contains(is_lift ? "fact" : "id")) {
        return is_lift ? invalid_input("a lift names an id, and no fact", "fact")
                       : invalid_input("a link is named by its fact, and not by an id", "id");
    }
    Asked<IdentityDecided> decided = begin_decision(sources, request, *std::move(reason));
    if (!decided) {
        return decided.error();
    }
    if (is_lift) {
        return lift(sources, *std::move(decided), *body, *is_trial);
    }
    decided->kind = *kind == "accept" ? IdentityKind::accept : IdentityKind::reject;
    return accept_or_reject(sources, *std::move(decided), *name, *is_trial);
}

Response revoke(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {"reason"})) {
        return *std::move(refused);
    }
    const Asked<std::string> name = api::part_of_path(request, 0, "decision");
    Asked<std::string> reason = api::text_parameter(request, "reason", "");
    if (!name || !reason) {
        return name ? reason.error() : name.error();
    }
    if (reason->size() > longest_reason) {
        return invalid_input(fmt::format("reason has at most {} bytes", longest_reason), "reason");
    }
    const Asked<Fact> fact = known_fact(sources, *name, "decision");
    if (!fact) {
        return fact.error();
    }
    if (fact->kind == FactKind::link || fact->kind == FactKind::datum ||
        fact->kind == FactKind::revoke) {
        return invalid_input(
            "decision is a parting, an accept, a reject or a lift; a link is rejected by POST "
            "/api/v1/identities/decisions",
            "decision"
        );
    }
    const Asked<IdentityDecided> decided = begin_decision(sources, request, *std::move(reason));
    if (!decided) {
        return decided.error();
    }
    const Asked<IdentityDecided> revoke = revoke_of(*decided, *fact);
    return revoke ? answer_decision(sources, *revoke) : revoke.error();
}

}  // namespace

void add_decision_routes(api::FrontDoor& door, const Sources& sources) {
    const auto add = [&](const api::ActKind& kind,
                         Method method,
                         std::string_view path,
                         Answer answer,
                         std::size_t bytes) {
        door.acting(kind).add(
            keys::Scope::people,
            method,
            path,
            on_saying(sources, std::move(answer)),
            {.bytes = bytes}
        );
    };
    constexpr std::string_view decisions = "/api/v1/identities/decisions";
    constexpr api::ActKind decided{
        .kind = "identity_decided", .about = api::ActAbout::persons, .has_trial = true
    };
    const api::ActKind revoked{
        .kind = "decision_revoked",
        .about = api::ActAbout::persons,
        .person_in_path = audit::person_of_fact
    };
    add(decided, Method::post, decisions, decide, api::small_json_bytes_max);
    add(revoked, Method::del, fmt::format("{}/{{decision}}", decisions), revoke, api::no_body.bytes
    );
}

}  // namespace footfall::identities::routes
