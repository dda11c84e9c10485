#include "identities_routes/match_routes.h"

#include "api/answers.h"
#include "api/small_json.h"
#include "events/action.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"
#include "http_server/problem.h"
#include "identities/said_facts.h"
#include "identities_routes/identity_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>
#include <vector>

namespace footfall::identities::routes {
namespace {

using api::answer_error;
using api::Asked;
using api::invalid_input;
using api::json_answer;
using http_server::Method;
using http_server::Request;
using http_server::Response;

/// Of 32 ids, each of three texts of 256 bytes that may all be escaped.
constexpr std::size_t match_bytes_max = 64 << 10;
/// How far ahead of ours the clock of who says something may be.
constexpr std::chrono::minutes ahead_max{5};

struct Match {
    events::Event event;
    Fact fact;
};

/// The event that says it, and the fact that will follow.
Match match_of(std::vector<Id> ids, Instant time, const std::string& source) {
    Match match;
    match.event.time = time;
    match.event.action = events::identify_action;
    match.event.object = object_of(ids.front());
    match.event.identifiers = ids;
    if (!source.empty()) {
        match.event.attributes = fmt::format(R"({{"source":{}}})", json_string(source));
    }
    match.fact = {
        .kind = FactKind::link, .ids = std::move(ids), .first = time, .last = time, .source = source
    };
    seal(match.fact);
    return match;
}

Asked<Instant> read_time(const boost::json::object& body, Instant now) {
    const auto* const found = body.if_contains("time");
    if (found == nullptr || found->is_null()) {
        return now;
    }
    const auto* const text = found->if_string();
    const auto time = text == nullptr
                          ? std::nullopt
                          : events::parse_rfc3339(std::string_view{text->data(), text->size()});
    if (!time) {
        return std::unexpected(
            invalid_input("time is RFC 3339, such as 2026-11-21T10:00:00Z", "time")
        );
    }
    if (*time > now + ahead_max) {
        return std::unexpected(invalid_input("time is still to come", "time"));
    }
    return *time;
}

Asked<Match> read_match(const Request& request, Instant now) {
    const auto body = api::small_json_body(request, {"ids", "time", "source"});
    if (!body) {
        return std::unexpected(body.error());
    }
    Asked<std::vector<Id>> ids = read_ids(*body, "ids", fact_ids_max);
    Asked<std::string> source = read_text(*body, "source", events::longest_id);
    const Asked<Instant> time = read_time(*body, now);
    if (!ids || !source || !time) {
        return std::unexpected(!ids ? ids.error() : !source ? source.error() : time.error());
    }
    if (ids->empty()) {
        return std::unexpected(invalid_input(
            R"(ids is missing: {"ids":[{"identifier":"www","id_name":"id","id_value":"w111"}]})",
            "ids"
        ));
    }
    return match_of(*std::move(ids), *time, *source);
}

Result<void> say(const Sources& sources, events::Event event) {
    if (const auto fault = events::tidy_event(event)) {
        return fail(ErrorKind::invalid_input, fmt::format("{}: {}", fault->field, fault->detail));
    }
    const Instant now = sources.identities->clock().now();
    TRY(const intake::Taken taken,
        sources.collector->collect({.events = {std::move(event)}, .arrival = now}));
    TRY_VOID(journal::wait_durable(sources.collector->writer(), taken.position));
    if (taken.refused > 0) {
        return fail(
            ErrorKind::conflict,
            "a rule refused this match, so it states nothing; /api/v1/views of the action identify "
            "says which"
        );
    }
    return {};
}

/// What was before, and what is now.
std::string answer_json(
    const Settling& settling, const Match& match, const Index& before, const Neighbourhood& known
) {
    const std::vector<Id>& ids = match.fact.ids;
    const auto named = std::ranges::find_if(ids, [&](const Id& each) {
        return !known.resolution.shared.contains(each);
    });
    const Id& id = named == ids.end() ? ids.front() : *named;
    const std::vector<std::string> now = sids_of(settling, known.resolution, {&id, 1});
    const std::string sid = now.empty() ? std::string{} : now.front();
    std::set<std::string> merged;
    for (const Profile& each : known.resolution.profiles) {
        if (settling.sid_of(each) != sid) {
            continue;
        }
        for (const Member& member : each.members) {
            if (const auto was = before.find(member.id); was != before.end()) {
                merged.insert(was->second.sid);
            }
        }
    }
    if (merged.size() < 2) {
        merged.clear();
    }
    std::string json = fmt::format(R"({{"sid":"{}","created":{},"merged":[)", sid, before.empty());
    for (const std::string& each : merged) {
        json += fmt::format(R"({}"{}")", json.ends_with('[') ? "" : ",", each);
    }
    json += R"(],"contested":)";
    append_contested(known.resolution.contested, match.fact.id, json);
    return json + "}";
}

Response answer_match(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refused);
    }
    const Asked<Match> match = read_match(request, sources.identities->clock().now());
    if (!match) {
        return match.error();
    }
    const Settling& settling = sources.identities->settling();
    const auto before = read_index(settling.store(), match->fact.ids);
    if (!before) {
        return answer_error(before.error());
    }
    const auto known =
        say_and_settle(sources, match->fact, [&] { return say(sources, match->event); });
    return known ? json_answer(answer_json(settling, *match, *before, *known))
                 : answer_error(known.error());
}

Response answer_lookup(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refused);
    }
    Asked<std::string> identifier = api::part_of_path(request, 0, "identifier");
    Asked<std::string> id_name = api::part_of_path(request, 1, "id_name");
    Asked<std::string> id_value = api::text_in_path(request, 2, "id_value");
    for (auto* const each : {&identifier, &id_name, &id_value}) {
        if (!*each) {
            return std::move(*each).error();
        }
    }
    const Id id{*std::move(identifier), *std::move(id_name), *std::move(id_value)};
    const auto index = read_index(sources.identities->settling().store(), {&id, 1});
    if (!index) {
        return answer_error(index.error());
    }
    if (index->empty()) {
        return http_server::problem(
            404,
            "not-found",
            "no profile has this id: nobody has said anything of it, or too much hangs together "
            "with it"
        );
    }
    const IndexEntry& entry = index->begin()->second;
    return json_answer(fmt::format(
        R"({{"sid":"{}","identifier":{},"id_name":{},"id_value":{},"shared":{},"provisional":false}})",
        entry.sid,
        json_string(id.identifier),
        json_string(id.id_name),
        json_string(id.id_value),
        entry.shared
    ));
}

}  // namespace

void add_match_routes(api::FrontDoor& door, const Sources& sources) {
    door.add(
        keys::Scope::people,
        Method::post,
        "/api/v1/identities/match",
        on_saying(sources, answer_match),
        {.bytes = match_bytes_max}
    );
    door.add(
        keys::Scope::people,
        Method::get,
        "/api/v1/identities/{identifier}/{id_name}/{id_value}",
        on_lookups(sources, answer_lookup)
    );
}

}  // namespace footfall::identities::routes
