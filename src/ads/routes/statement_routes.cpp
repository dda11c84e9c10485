#include "ads_routes/statement_routes.h"

#include "ads/statement.h"
#include "ads_routes/income_routes.h"
#include "ads_routes/statement_page.h"
#include "api/answers.h"
#include "foundation/calendar_day.h"

#include <optional>
#include <string>
#include <utility>

namespace footfall::ads::routes {
namespace {

using api::Asked;
using api::invalid_input;
using http_server::Method;
using http_server::Request;
using http_server::Response;

/// A page that runs nothing, and shows nothing from elsewhere.
constexpr std::string_view content_policy = "default-src 'none'; style-src 'unsafe-inline'";

Response rendered(const Request& request, const StatementOf& of, const Statement& statement) {
    const std::string_view accept = request.known.accept;
    Response response{.headers = {{"Cache-Control", "no-store"}, {"Vary", "Accept"}}};
    if (http_server::accepts(accept, "text/csv")) {
        response.content_type = "text/csv; charset=utf-8";
        response.body = statement_csv(of, statement);
    } else if (http_server::accepts(accept, "text/html")) {
        response.content_type = "text/html; charset=utf-8";
        response.body = statement_html(of, statement);
        response.headers.emplace_back("Content-Security-Policy", content_policy);
    } else {
        response.content_type = "application/json";
        response.body = statement_json(of, statement);
    }
    return response;
}

Response statement_now(const Sources& sources, const Request& request, PartyKind kind) {
    if (auto refusal = api::refuse_unknown_parameter(request, {"currency"})) {
        return *std::move(refusal);
    }
    const Asked<std::string> party = party_in_path(request, kind);
    const Asked<Month> month = month_in_path(request, 1);
    const Asked<std::string> asked = currency_parameter(request);
    if (!party || !month) {
        return party ? month.error() : party.error();
    }
    if (!asked) {
        return asked.error();
    }
    Ledger& ledger = *sources.ledger;
    const Asked<std::string> currency = choose_currency(ledger, kind, *party, *asked);
    if (!currency) {
        return currency.error();
    }
    const auto statement = statement_of(ledger, kind, *party, *currency, *month);
    if (!statement) {
        return api::answer_error(statement.error());
    }
    const StatementOf of{
        .kind = kind, .party = *party, .currency = *currency, .zone = ledger.zone().zone().name()
    };
    return rendered(request, of, *statement);
}

}  // namespace

Asked<Month> month_in_path(const Request& request, std::size_t at) {
    const Asked<std::string> text = api::text_in_path(request, at, "month");
    if (!text) {
        return std::unexpected(text.error());
    }
    const std::optional<Day> day = text->size() == std::string_view{"2026-10"}.size()
                                       ? parse_day(*text + "-01")
                                       : std::nullopt;
    if (!day) {
        return std::unexpected(invalid_input("a month is such as 2026-10", "month"));
    }
    return month_of(*day);
}

void add_statement_routes(api::FrontDoor& door, const Sources& sources) {
    for (const PartyKind kind : {PartyKind::reseller, PartyKind::publisher}) {
        door.add_for_party(
            keys::Scope::money,
            kind,
            Method::get,
            party_path(kind, "/{id}/statements/{month}"),
            on_lookups(
                sources,
                [kind](const Sources& from, const Request& request) {
                    return statement_now(from, request, kind);
                }
            )
        );
    }
}

}  // namespace footfall::ads::routes
