#include "ads_routes/rate_routes.h"

#include "ads/money_text.h"
#include "ads/rate_changes.h"
#include "ads/rate_trial.h"
#include "ads/reports.h"
#include "ads/share.h"
#include "ads_routes/said.h"
#include "api/answers.h"
#include "api/flag_parameter.h"
#include "api/small_json.h"
#include "api/table_answer.h"
#include "events/rfc3339.h"
#include "foundation/calendar_day.h"
#include "foundation/json_string.h"
#include "foundation/utf8.h"
#include "http_server/problem.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

namespace footfall::ads::routes {
namespace {

using api::answer_error;
using api::Asked;
using api::invalid_input;
using api::json_answer;
using http_server::Method;
using http_server::Request;
using http_server::Response;

std::string booked_text(Month booked) {
    return booked == from_the_beginning ? "null" : fmt::format(R"("{}")", month_text(booked));
}

std::string change_fields(const RecordedRate& change) {
    return fmt::format(
        R"("effective_since":"{}","reward_percent":{},"recorded_at":"{}","author":{},"reason":{},)"
        R"("booked":{})",
        format_day(change.effective),
        change.share ? fmt::format(R"("{}")", format_share(*change.share)) : "null",
        events::format_rfc3339(change.recorded),
        json_string(change.author),
        json_string(change.reason),
        booked_text(change.booked)
    );
}

std::string change_json(PartyKind kind, std::string_view party, const RecordedRate& change) {
    return fmt::format(
        R"({{"{}":{},{}}})", keys::name_of(kind), json_string(party), change_fields(change)
    );
}

std::string tag_of(const RateHistory& history) {
    return fmt::format(R"("{}")", history.version());
}

Asked<std::string> reason_text(std::string reason) {
    if (reason.size() > longest_reason) {
        return std::unexpected(
            invalid_input(fmt::format("reason has at most {} bytes", longest_reason), "reason")
        );
    }
    return reason;
}

/// What If-Match names; "*" is whatever stands.
Asked<std::optional<std::string>> if_match(const Request& request) {
    std::string_view tag = request.header("If-Match");
    if (tag.empty() || tag == "*") {
        return std::optional<std::string>{};
    }
    constexpr std::size_t longest_tag = 64;
    if (tag.size() < 2 || tag.size() > longest_tag || !tag.starts_with('"') ||
        !tag.ends_with('"')) {
        return std::unexpected(
            invalid_input("If-Match must be the ETag that the rates came with", "If-Match")
        );
    }
    return std::optional{std::string{tag.substr(1, tag.size() - 2)}};
}

/// Party, day, author and version: what a change and its withdrawal have in common.
Asked<events::RateSaid> read_change(
    const Sources& sources, const Request& request, PartyKind kind
) {
    Asked<std::string> party = party_in_path(request, kind);
    const Asked<std::string> day_text = api::text_in_path(request, 1, "day");
    if (!party || !day_text) {
        return std::unexpected(party ? day_text.error() : party.error());
    }
    const std::optional<Day> day = parse_day(*day_text);
    if (!day) {
        return std::unexpected(invalid_input(
            "a rate holds from a day on: the path ends in one such as 2026-11-21", "day"
        ));
    }
    auto version = if_match(request);
    Asked<std::string> author = sources.keeper.author(request);
    if (!version || !author) {
        return std::unexpected(version ? author.error() : version.error());
    }
    return events::RateSaid{
        .kind = kind,
        .party = *std::move(party),
        .effective = *day,
        .author = *std::move(author),
        .if_match = *std::move(version),
        .said = sources.ledger->clock().now()
    };
}

/// Reads the share and the reason of a PUT.
Asked<events::RateSaid> read_put(const Sources& sources, const Request& request, PartyKind kind) {
    if (auto refusal = api::refuse_unknown_parameter(request, {"dry_run"})) {
        return std::unexpected(*std::move(refusal));
    }
    const auto body = api::small_json_body(request, {"reward_percent", "reason"});
    if (!body) {
        return std::unexpected(body.error());
    }
    Asked<events::RateSaid> said = read_change(sources, request, kind);
    if (!said) {
        return said;
    }
    const auto* const share = body->if_contains("reward_percent");
    const auto* const text = share == nullptr ? nullptr : share->if_string();
    const Result<Millionths> millionths =
        parse_share(text == nullptr ? "" : std::string_view{text->data(), text->size()});
    if (!millionths) {
        return std::unexpected(answer_error(millionths.error(), "reward_percent"));
    }
    said->share = *millionths;
    if (const auto* const reason = body->if_contains("reason")) {
        if (!reason->is_string()) {
            return std::unexpected(invalid_input("reason must be a string", "reason"));
        }
        Asked<std::string> checked = reason_text(std::string{reason->get_string()});
        if (!checked) {
            return std::unexpected(checked.error());
        }
        said->reason = *std::move(checked);
    }
    return said;
}

Asked<events::RateSaid> read_delete(
    const Sources& sources, const Request& request, PartyKind kind
) {
    if (auto refusal = api::refuse_unknown_parameter(request, {"dry_run", "reason"})) {
        return std::unexpected(*std::move(refusal));
    }
    Asked<std::string> reason = api::text_parameter(request, "reason", "");
    if (!reason) {
        return std::unexpected(reason.error());
    }
    Asked<std::string> checked = reason_text(*std::move(reason));
    Asked<events::RateSaid> said = read_change(sources, request, kind);
    if (!said || !checked) {
        return said ? std::unexpected(checked.error()) : said;
    }
    said->reason = *std::move(checked);
    return said;
}

Response version_gone(const RateHistory& history) {
    Response response = http_server::problem(
        412,
        "version-changed",
        "the rates were changed since: read them again, and decide anew",
        "If-Match"
    );
    response.headers.emplace_back("ETag", tag_of(history));
    return response;
}

Response too_many() {
    return http_server::problem(
        409,
        "too-many-changes",
        fmt::format("a party's rate can be changed {} times", most_changes),
        "day"
    );
}

Response nothing_to_withdraw() {
    return http_server::problem(
        404, "not-found", "there is no rate for this day that could be withdrawn", "day"
    );
}

Response tried(const Sources& sources, const events::RateSaid& said) {
    const Result<DryRun> run = try_rate(*sources.ledger, said);
    if (!run) {
        return answer_error(run.error());
    }
    if (run->outcome == RateOutcome::too_many) {
        return too_many();
    }
    if (run->outcome != RateOutcome::recorded) {
        const auto history = RateHistory::read(sources.ledger->store(), said.kind, said.party);
        if (!history) {
            return answer_error(history.error());
        }
        if (run->outcome == RateOutcome::other_version) {
            return version_gone(*history);
        }
        if (history->in_force(said.effective) == nullptr) {
            return nothing_to_withdraw();
        }
    }
    std::string json = fmt::format(
        R"({{"{}":{},"effective_since":"{}","reward_percent":{},"would_record":{},"movements":[)",
        keys::name_of(said.kind),
        json_string(said.party),
        format_day(said.effective),
        said.share ? fmt::format(R"("{}")", format_share(*said.share)) : "null",
        run->outcome == RateOutcome::recorded
    );
    for (const Movement& each : run->movements) {
        json += fmt::format(
            R"({}{{"currency":{},"days":{},"first_day":"{}","last_day":"{}","before":"{}",)"
            R"("after":"{}","difference":"{}"}})",
            json.ends_with('[') ? "" : ",",
            json_string(each.currency),
            each.days,
            format_day(each.range.from),
            format_day(each.range.to),
            money_text(each.before),
            money_text(each.after),
            money_text(each.after - each.before)
        );
    }
    return json_answer(json + "]}");
}

/// Says it in the party's lane, waits until it was decided there, and answers what became of it.
Response change_now(const Sources& sources, events::RateSaid said) {
    const PartyKind kind = said.kind;
    const std::string party = said.party;
    const Day effective = said.effective;
    const bool gives_share = said.share.has_value();
    const Result<RateAnswer> answer =
        say_and_wait(*sources.ledger, *sources.collector, std::move(said));
    if (!answer) {
        return answer_error(answer.error());
    }
    const auto history = RateHistory::read(sources.ledger->store(), kind, party);
    if (!history) {
        return answer_error(history.error());
    }
    if (answer->outcome == RateOutcome::other_version) {
        return version_gone(*history);
    }
    if (answer->outcome == RateOutcome::too_many) {
        return too_many();
    }
    const bool recorded = answer->outcome == RateOutcome::recorded;
    const RecordedRate* const change =
        recorded ? history->recorded_at(answer->recorded) : history->in_force(effective);
    if (change == nullptr && (recorded || gives_share)) {
        // Its row is one of its own: on a cluster the answer may be seen before it.
        return answer_error(
            {ErrorKind::unavailable, "the rate was taken, and cannot be read yet: say it again"}
        );
    }
    if (change == nullptr) {
        return nothing_to_withdraw();
    }
    Response response = json_answer(change_json(kind, party, *change), recorded ? 201 : 200);
    response.headers.emplace_back("ETag", tag_of(*history));
    return response;
}

Response answer_change(
    const Sources& sources, const Request& request, Asked<events::RateSaid> said
) {
    const Asked<bool> dry_run = api::flag_parameter(request, "dry_run");
    if (!said || !dry_run) {
        return said ? dry_run.error() : said.error();
    }
    return *dry_run ? tried(sources, *said) : change_now(sources, *std::move(said));
}

Response rates_now(const Sources& sources, const Request& request, PartyKind kind) {
    if (auto refusal = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refusal);
    }
    const Asked<std::string> party = party_in_path(request, kind);
    if (!party) {
        return party.error();
    }
    const auto history = RateHistory::read(sources.ledger->store(), kind, *party);
    if (!history) {
        return answer_error(history.error());
    }
    if (history->changes().empty()) {
        const auto known = currencies_of(*sources.ledger, kind, *party);
        if (!known || known->empty()) {
            return known ? api::unknown_party(kind) : answer_error(known.error());
        }
    }
    std::string json =
        fmt::format(R"({{"{}":{},"rates":[)", keys::name_of(kind), json_string(*party));
    for (const RecordedRate& each : history->changes()) {
        json += fmt::format("{}{{{}}}", json.ends_with('[') ? "" : ",", change_fields(each));
    }
    Response response = json_answer(json + "]}");
    response.headers.emplace_back("ETag", tag_of(*history));
    static const api::TableForm table{
        .lists = {{.name = "rates"}},
        .columns =
            {"effective_since", "reward_percent", "recorded_at", "author", "reason", "booked"}
    };
    return api::as_asked(request, std::move(response), table);
}

}  // namespace

void add_rate_routes(api::FrontDoor& door, const Sources& sources) {
    for (const PartyKind kind : {PartyKind::reseller, PartyKind::publisher}) {
        const std::string rate = party_path(kind, "/{id}/rates/{day}");
        door.acting({.kind = "rate_set", .has_trial = true})
            .add(
                keys::Scope::money,
                Method::put,
                rate,
                on_lookups(
                    sources,
                    [kind](const Sources& from, const Request& request) {
                        return answer_change(from, request, read_put(from, request, kind));
                    }
                ),
                {.bytes = api::small_json_bytes_max}
            );
        door.acting({.kind = "rate_withdrawn", .has_trial = true})
            .add(
                keys::Scope::money,
                Method::del,
                rate,
                on_lookups(
                    sources,
                    [kind](const Sources& from, const Request& request) {
                        return answer_change(from, request, read_delete(from, request, kind));
                    }
                )
            );
        door.add_for_party(
            keys::Scope::money,
            kind,
            Method::get,
            party_path(kind, "/{id}/rates"),
            on_lookups(
                sources,
                [kind](const Sources& from, const Request& request) {
                    return rates_now(from, request, kind);
                }
            )
        );
    }
}

}  // namespace footfall::ads::routes
