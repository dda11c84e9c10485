#include "identities_routes/match_routes.h"

#include "api/answers.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"
#include "http_server/problem.h"
#include "identities/normalised.h"
#include "identities_routes/contested_routes.h"
#include "identities_routes/match_answers.h"
#include "identities_routes/match_batch.h"
#include "identities_routes/match_json.h"
#include "identities_routes/path_routes.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace footfall::identities::routes {
namespace {

using api::answer_error;
using api::Asked;
using api::json_answer;
using http_server::Exchange;
using http_server::Method;
using http_server::Request;
using http_server::Response;

Result<void> say(const Sources& sources, Match match) {
    TRY(events::Event event, event_of(std::move(match)));
    const Instant now = sources.identities->clock().now();
    TRY(const intake::Taken taken,
        sources.collector->collect({.events = {std::move(event)}, .arrival = now}));
    TRY_VOID(journal::wait_durable(sources.collector->writer(), taken.position));
    return taken.refused == 0 ? Result<void>{} : std::unexpected(refused_by_a_rule());
}

Response answer_match(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refused);
    }
    if (request.body.size() > match_bytes_max) {
        return http_server::problem(
            413,
            "body-too-large",
            fmt::format(
                "a match has at most {} bytes; many are sent as application/x-ndjson, one a line",
                match_bytes_max
            )
        );
    }
    const Settling& settling = sources.identities->settling();
    const Asked<Match> match =
        read_match(*settling.guards(), request.body, "the body", sources.identities->clock().now());
    if (!match) {
        return match.error();
    }
    MatchLine line;
    const MatchOfLine said{.line = &line, .match = &*match};
    KnownBefore known_before;
    if (const auto noted = known_before.note(settling.levels(), {&said, 1}); !noted) {
        return answer_error(noted.error());
    }
    auto follows = say_and_follow(sources, match->fact, [&] { return say(sources, *match); });
    if (!follows) {
        return answer_error(follows.error());
    }
    const std::optional<Neighbourhood>& known = follows->known;
    const std::vector<Id>& ids = match->fact.ids;
    const Result<Index> now =
        known ? Result<Index>{index_of(settling, *known)} : read_index(settling.levels(), ids);
    if (!now) {
        return answer_error(now.error());
    }
    return json_answer(match_json(
        *match,
        {.created = line.created,
         .before = line.before,
         .now = &*now,
         .contested = known ? std::span{known->resolution.contested} : std::span<const Contested>{},
         .is_provisional = !known || is_provisional(sources, ids)}
    ));
}

/// Of now, by rows, or of an instant that is past, by facts.
Result<std::optional<IndexEntry>> entry_of(
    const Settling& settling, const Id& id, std::optional<Instant> as_of
) {
    if (as_of) {
        return settling.entry_at(id, *as_of);
    }
    TRY(const Index index, read_index(settling.levels(), {&id, 1}));
    return index.empty() ? std::nullopt : std::optional{index.begin()->second};
}

Asked<std::optional<Instant>> as_of_parameter(const Request& request, Instant now) {
    const Asked<std::string> text = api::text_parameter(request, "as_of", "");
    if (!text) {
        return std::unexpected(text.error());
    }
    if (text->empty()) {
        return std::nullopt;
    }
    const auto as_of = events::parse_rfc3339(*text);
    if (!as_of || *as_of > now) {
        return std::unexpected(api::invalid_input(
            "as_of is an instant that is past, such as 2026-11-21T10:00:00Z", "as_of"
        ));
    }
    return as_of;
}

Asked<Id> id_in_path(const Guards& guards, const Request& request) {
    Asked<std::string> identifier = api::part_of_path(request, 0, "identifier");
    Asked<std::string> id_name = api::part_of_path(request, 1, "id_name");
    Asked<std::string> id_value = api::text_in_path(request, 2, "id_value");
    for (auto* const each : {&identifier, &id_name, &id_value}) {
        if (!*each) {
            return std::unexpected(std::move(*each).error());
        }
    }
    return normalised(
        guards, Id{*std::move(identifier), *std::move(id_name), *std::move(id_value)}
    );
}

/// Which guard makes a shared id so.
std::string shared_by_json(const Guards& guards, const Id& id) {
    return is_never(guards, id)
               ? std::string{R"(,"shared_by":{"guard":"never"})"}
               : fmt::format(
                     R"(,"shared_by":{{"guard":"shared_above","most":{}}})", most_others(guards, id)
                 );
}

Response answer_lookup(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {"as_of"})) {
        return *std::move(refused);
    }
    const Settling& settling = sources.identities->settling();
    const Asked<Id> id = id_in_path(*settling.guards(), request);
    const auto as_of = as_of_parameter(request, sources.identities->clock().now());
    if (!id || !as_of) {
        return id ? as_of.error() : id.error();
    }
    const auto found = entry_of(settling, *id, *as_of);
    if (!found) {
        return answer_error(found.error());
    }
    const std::optional<IndexEntry>& entry = *found;
    if (!entry) {
        const bool is_noted = settling.noted().has_one({&*id, 1});
        return http_server::problem(
            404,
            "not-found",
            *as_of     ? "no profile had this id: nobody had said anything of it"
            : is_noted ? "no profile has this id yet: much hangs together with it, and it is being "
                         "settled; ask again"
                       : "no profile has this id: nobody has said anything of it"
        );
    }
    return json_answer(fmt::format(
        R"({{"sid":"{}","identifier":{},"id_name":{},"id_value":{},"shared":{}{},"provisional":{}}})",
        entry->sid,
        json_string(id->identifier),
        json_string(id->id_name),
        json_string(id->id_value),
        entry->shared,
        entry->shared && !*as_of ? shared_by_json(*settling.guards(), *id) : std::string{},
        !*as_of && is_provisional(sources, {&*id, 1})
    ));
}

}  // namespace

void add_match_routes(api::FrontDoor& door, const Sources& sources) {
    door.add(
        keys::Scope::people,
        Method::post,
        "/api/v1/identities/match",
        [one = on_saying(sources, answer_match), many = on_batches(sources)](Exchange& exchange) {
            return is_match_batch(exchange.request()) ? many(exchange) : one(exchange);
        },
        {.bytes = match_batch_bytes_max}
    );
    door.add(
        keys::Scope::people,
        Method::get,
        "/api/v1/identities/{identifier}/{id_name}/{id_value}",
        on_lookups(sources, answer_lookup)
    );
    add_path_routes(door, sources);
    add_contested_routes(door, sources);
}

}  // namespace footfall::identities::routes
