#include "ads_routes/clicks_routes.h"

#include "ads/clicks_report.h"
#include "ads/line.h"
#include "ads/reports.h"
#include "ads_routes/income_answers.h"
#include "api/answers.h"
#include "api/table_answer.h"
#include "by_profile/report_json.h"
#include "foundation/json_string.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::ads::routes {
namespace {

using api::Asked;
using http_server::Exchange;
using http_server::Method;
using http_server::Request;
using http_server::Response;

/// Whose clicks are asked for.
struct ClicksAsked {
    std::optional<PartyKind> kind;  ///< Absent: of an ad.
    std::string name;
    std::optional<TimeZone> zone;  ///< Absent: the ledger's.
    std::optional<DayRange> range;

    std::string_view field() const { return kind ? keys::name_of(*kind) : "ad"; }
};

Asked<ClicksAsked> read_asked(
    const Sources& sources, const Request& request, std::optional<PartyKind> kind
) {
    if (auto refusal = api::refuse_unknown_parameter(request, {"from", "to", "tz", "by"})) {
        return std::unexpected(*std::move(refusal));
    }
    ClicksAsked asked{.kind = kind};
    Asked<std::string> name =
        kind ? party_in_path(request, *kind) : api::text_in_path(request, 0, asked.field());
    const auto zone = api::zone_parameter(request);
    if (!name || !zone) {
        return std::unexpected(name ? zone.error() : name.error());
    }
    Ledger& ledger = *sources.ledger;
    const auto range =
        api::range_parameters(request, zone->value_or(ledger.zone().zone()), ledger.clock().now());
    if (!range) {
        return std::unexpected(range.error());
    }
    asked.name = *std::move(name);
    asked.zone = *zone;
    asked.range = days_of(*range);
    return asked;
}

/// Of one of whom there are no clicks: 404 where nobody knows it. Absent: somebody does.
std::optional<Response> refuse_unknown(Ledger& ledger, const ClicksAsked& asked) {
    if (!asked.kind) {
        return std::nullopt;
    }
    const auto known = currencies_of(ledger, *asked.kind, asked.name);
    if (!known) {
        return api::answer_error(known.error());
    }
    return known->empty() ? std::optional{api::unknown_party(*asked.kind)} : std::nullopt;
}

Response clicks_now(const Sources& sources, const Request& request, std::optional<PartyKind> kind) {
    const Asked<ClicksAsked> asked = read_asked(sources, request, kind);
    if (!asked) {
        return asked.error();
    }
    Ledger& ledger = *sources.ledger;
    const Result<ClicksAnswer> answer = clicks_of(
        ledger,
        {.of = {.kind = kind, .name = asked->name}, .range = asked->range, .zone = asked->zone}
    );
    if (!answer) {
        return api::answer_error(answer.error(), "from");
    }
    if (answer->days.empty()) {
        if (auto refusal = refuse_unknown(ledger, *asked)) {
            return *std::move(refusal);
        }
    }
    const bool with_amounts =
        kind ? !sources.keeper.refuse_party(request, keys::Scope::money, *kind, asked->name)
             : !sources.keeper.refuse(request, keys::Scope::money);
    return api::as_asked(
        request,
        api::json_answer(clicks_json(asked->field(), asked->name, *answer, with_amounts)),
        clicks_table()
    );
}

/// Whether it is a click of theirs, as the ledger takes it.
bool is_click_of(
    const events::JudgedEvent& judged, std::optional<PartyKind> kind, const std::string& name
) {
    const events::Event& event = judged.event;
    if (!is_of_ledger(event) || event.action != "click" || event.amount.value_or(0) < 0) {
        return false;
    }
    if (!kind) {
        return ad_of(event) == name;
    }
    return name == (*kind == PartyKind::reseller ? event.reseller : event.publisher);
}

std::optional<by_profile::DayRange> days_by_profile(const ClicksAsked& asked) {
    return asked.range.transform([](const DayRange& range) {
        return by_profile::DayRange{.from = range.from, .to = range.to};
    });
}

/// Clicks of an ad are those of its objects, whatever lane they are in.
Asked<by_profile::Question> read_question(
    const Sources& sources, const Request& request, std::optional<PartyKind> kind
) {
    const Asked<ClicksAsked> asked = read_asked(sources, request, kind);
    if (!asked) {
        return std::unexpected(asked.error());
    }
    return by_profile::Question{
        .lanes = by_profile::all_lanes(),
        .text = asked->name,
        .counts = [kind, name = asked->name](const events::JudgedEvent& judged
                  ) { return is_click_of(judged, kind, name); },
        .range = days_by_profile(*asked),
        .zone = asked->zone.value_or(sources.ledger->zone().zone())
    };
}

Response tell_people(
    const Sources& sources,
    const Request& request,
    std::optional<PartyKind> kind,
    const by_profile::Report& report
) {
    const Asked<ClicksAsked> asked = read_asked(sources, request, kind);
    if (!asked) {
        return asked.error();
    }
    if (report.figures.days.empty()) {
        if (auto refusal = refuse_unknown(*sources.ledger, *asked)) {
            return *std::move(refusal);
        }
    }
    const std::string figures = by_profile::report_json(
        report,
        "clicks",
        days_by_profile(*asked),
        asked->zone.value_or(sources.ledger->zone().zone())
    );
    return api::as_asked(
        request,
        api::json_answer(
            fmt::format(R"({{"{}":{},{}}})", asked->field(), json_string(asked->name), figures)
        ),
        {.lists = {{.name = "days"}}, .columns = {"day", "clicks", "actors", "people"}}
    );
}

http_server::Handler clicks_handler(const Sources& sources, std::optional<PartyKind> kind) {
    auto by_actor = on_lookups(sources, [kind](const Sources& from, const Request& request) {
        return clicks_now(from, request, kind);
    });
    return [sources, kind, by_actor = std::move(by_actor)](Exchange& exchange
           ) -> std::optional<runtime::Task<>> {
        const Asked<bool> by_profile =
            by_profile::asks_by_profile(exchange.request(), sources.by_profile);
        if (!by_profile) {
            exchange.response() = by_profile.error();
            return std::nullopt;
        }
        if (!*by_profile) {
            return by_actor(exchange);
        }
        return sources.by_profile->answer(
            &exchange,
            [sources, kind](const Request& request) {
                return read_question(sources, request, kind);
            },
            [sources, kind](const Request& request, const by_profile::Report& report) {
                return tell_people(sources, request, kind, report);
            }
        );
    };
}

}  // namespace

void add_clicks_routes(api::FrontDoor& door, const Sources& sources) {
    for (const PartyKind kind : {PartyKind::reseller, PartyKind::publisher}) {
        door.add_for_party(
            keys::Scope::read,
            kind,
            Method::get,
            party_path(kind, "/{id}/clicks"),
            clicks_handler(sources, kind)
        );
    }
    door.add(
        keys::Scope::read,
        Method::get,
        "/api/v1/ads/{id}/clicks",
        clicks_handler(sources, std::nullopt)
    );
}

}  // namespace footfall::ads::routes
