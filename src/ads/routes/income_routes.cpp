#include "ads_routes/income_routes.h"

#include "ads/reports.h"
#include "ads_routes/income_answers.h"
#include "api/answers.h"
#include "api/range_parameters.h"
#include "foundation/calendar_day.h"
#include "http_server/problem.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
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

Asked<Grouping> grouping_parameter(const Request& request, PartyKind kind) {
    const Asked<std::string> text = api::text_parameter(request, "group_by", "day");
    if (!text) {
        return std::unexpected(text.error());
    }
    const std::string_view other =
        keys::name_of(kind == PartyKind::reseller ? PartyKind::publisher : PartyKind::reseller);
    const std::array<std::pair<std::string_view, Grouping>, 6> names{
        {{"none", Grouping::none},
         {"day", Grouping::day},
         {"month", Grouping::month},
         {"hour", Grouping::hour},
         {"ad", Grouping::ad},
         {other, Grouping::other_party}}
    };
    const auto found = std::ranges::find(names, *text, &decltype(names)::value_type::first);
    if (found == names.end()) {
        return std::unexpected(invalid_input(
            fmt::format("group_by must be none, day, month, hour, ad or {}", other), "group_by"
        ));
    }
    return found->second;
}

Asked<std::optional<Day>> as_of_parameter(const Request& request, const Ledger& ledger) {
    Asked<std::optional<Day>> as_of = api::day_parameter(request, "as_of");
    if (!as_of) {
        return as_of;
    }
    const std::optional<Day> day = *as_of;
    const Day today = ledger.zone().day_of(ledger.clock().now());
    if (day && *day > today) {
        return std::unexpected(invalid_input(
            fmt::format(
                "as_of is after today, which is {} in {}",
                format_day(today),
                ledger.zone().zone().name()
            ),
            "as_of"
        ));
    }
    return as_of;
}

/// Everything but the currency, which depends on what there is.
Asked<IncomeQuestion> read_question(
    const Sources& sources, const Request& request, PartyKind kind
) {
    if (auto refusal = api::refuse_unknown_parameter(
            request, {"from", "to", "as_of", "tz", "currency", "group_by"}
        )) {
        return std::unexpected(*std::move(refusal));
    }
    const Ledger& ledger = *sources.ledger;
    IncomeQuestion question{.kind = kind};
    Asked<std::string> party = party_in_path(request, kind);
    const Asked<Grouping> grouping = grouping_parameter(request, kind);
    const auto as_of = as_of_parameter(request, ledger);
    const auto zone = api::zone_parameter(request);
    if (!party || !grouping) {
        return std::unexpected(party ? grouping.error() : party.error());
    }
    if (!as_of || !zone) {
        return std::unexpected(as_of ? zone.error() : as_of.error());
    }
    question.party = *std::move(party);
    question.group_by = *grouping;
    question.as_of = *as_of;
    question.zone = *zone;
    const auto range =
        api::range_parameters(request, zone->value_or(ledger.zone().zone()), ledger.clock().now());
    if (!range) {
        return std::unexpected(range.error());
    }
    question.range = days_of(*range);
    return question;
}

/// As JSON, or as rows where these are asked for.
Response shown(
    const Sources& sources,
    const Request& request,
    const IncomeQuestion& question,
    const IncomeAnswer& answer
) {
    Response response = json_answer(income_json(*sources.ledger, question, answer));
    return api::asks_for_rows(request)
               ? api::as_asked(request, std::move(response), income_table(question))
               : response;
}

Response income_now(const Sources& sources, const Request& request, PartyKind kind) {
    Asked<IncomeQuestion> question = read_question(sources, request, kind);
    const Asked<std::string> asked = currency_parameter(request);
    if (!question || !asked) {
        return question ? asked.error() : question.error();
    }
    Asked<std::string> currency = choose_currency(*sources.ledger, kind, question->party, *asked);
    if (!currency) {
        return currency.error();
    }
    question->currency = *std::move(currency);
    const Result<IncomeAnswer> answer = income_of(*sources.ledger, *question);
    if (!answer) {
        return answer_error(answer.error(), "from");
    }
    return shown(sources, request, *question, *answer);
}

/// The answer of a page that is in memory, for who names the currency and wants no rows: it takes a
/// microsecond, and going to another thread fifteen.
std::optional<Response> income_at_once(
    const Sources& sources, const Request& request, PartyKind kind
) {
    if (!request.query.contains("group_by=none") || !request.query.contains("currency=")) {
        return std::nullopt;
    }
    Asked<IncomeQuestion> question = read_question(sources, request, kind);
    Asked<std::string> currency = currency_parameter(request);
    if (!question || !currency || currency->empty()) {
        return std::nullopt;
    }
    question->currency = *std::move(currency);
    const auto answer = income_from_page(*sources.ledger, *question, false);
    if (!answer) {
        return std::nullopt;
    }
    return answer->transform([&](const IncomeAnswer& found) {
        return shown(sources, request, *question, found);
    });
}

http_server::Handler income_handler(const Sources& sources, PartyKind kind) {
    http_server::Handler by_rows =
        on_lookups(sources, [kind](const Sources& from, const Request& request) {
            return income_now(from, request, kind);
        });
    return [sources, kind, by_rows = std::move(by_rows)](http_server::Exchange& exchange
           ) -> std::optional<runtime::Task<>> {
        if (auto response = income_at_once(sources, exchange.request(), kind)) {
            exchange.response() = *std::move(response);
            return std::nullopt;
        }
        return by_rows(exchange);
    };
}

}  // namespace

Response currency_needed(const std::set<std::string>& currencies) {
    constexpr std::string_view detail =
        "there is money in several currencies, which are never added up: name one";
    Response response = http_server::problem(409, "currency-needed", detail, "currency");
    boost::json::object document{
        {"type", "/problems/currency-needed"},
        {"title", http_server::reason_phrase(409)},
        {"status", 409},
        {"detail", detail},
        {"field", "currency"},
        {"currencies", boost::json::array(currencies.begin(), currencies.end())}
    };
    response.body = boost::json::serialize(document) + "\n";
    return response;
}

Asked<std::string> currency_parameter(const Request& request) {
    Asked<std::string> currency = api::text_parameter(request, "currency", "");
    const bool is_one =
        currency && (currency->empty() ||
                     (currency->size() == 3 && std::ranges::all_of(*currency, [](char each) {
                          return each >= 'A' && each <= 'Z';
                      })));
    if (currency && !is_one) {
        return std::unexpected(
            invalid_input("currency must be three capital letters, such as EUR", "currency")
        );
    }
    return currency;
}

Asked<std::string> choose_currency(
    Ledger& ledger, PartyKind kind, const std::string& party, const std::string& asked
) {
    Result<std::set<std::string>> known = currencies_of(ledger, kind, party);
    if (!known) {
        return std::unexpected(answer_error(known.error()));
    }
    if (known->empty()) {
        return std::unexpected(api::unknown_party(kind));
    }
    known->erase("");
    if (!asked.empty()) {
        return asked;
    }
    if (known->size() > 1) {
        return std::unexpected(currency_needed(*known));
    }
    return known->empty() ? ledger.currency() : *known->begin();
}

void add_income_routes(api::FrontDoor& door, const Sources& sources) {
    for (const PartyKind kind : {PartyKind::reseller, PartyKind::publisher}) {
        door.add_for_party(
            keys::Scope::money,
            kind,
            Method::get,
            party_path(kind, "/{id}/income"),
            income_handler(sources, kind)
        );
    }
}

}  // namespace footfall::ads::routes
