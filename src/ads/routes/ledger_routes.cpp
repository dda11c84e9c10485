#include "ads_routes/ledger_routes.h"

#include "ads/income_rows.h"
#include "ads/ledger_check.h"
#include "ads/money_text.h"
#include "ads/party_sums.h"
#include "ads/rate_changes.h"
#include "ads/split.h"
#include "ads_routes/income_routes.h"
#include "ads_routes/said.h"
#include "ads_routes/statement_routes.h"
#include "api/answers.h"
#include "api/range_parameters.h"
#include "api/small_json.h"
#include "api/table_answer.h"
#include "events/rfc3339.h"
#include "foundation/calendar_day.h"
#include "foundation/json_string.h"
#include "http_server/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
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

/// The reason of a seal; refused if the body asks for anything else than a seal.
Asked<std::string> seal_reason(const Request& request) {
    const auto body = api::small_json_body(request, {"state", "reason"});
    if (!body) {
        return std::unexpected(body.error());
    }
    const auto* const state = body->if_contains("state");
    if (state == nullptr || !state->is_string() || state->get_string() != "sealed") {
        return std::unexpected(invalid_input(
            "state must be \"sealed\": a seal is for ever, nothing undoes it", "state"
        ));
    }
    const auto* const reason = body->if_contains("reason");
    if (reason == nullptr) {
        return std::string{};
    }
    if (!reason->is_string() || reason->get_string().size() > longest_reason) {
        return std::unexpected(invalid_input(
            fmt::format("reason must be a string of at most {} bytes", longest_reason), "reason"
        ));
    }
    return std::string{reason->get_string()};
}

std::string month_json(Month month, const SealedMonth& seal) {
    return fmt::format(
        R"({{"month":"{}","state":"{}","sealed_at":"{}","author":{},"reason":{}}})",
        month_text(month),
        seal.rows_written ? "sealed" : "sealing",
        events::format_rfc3339(seal.sealed_at),
        json_string(seal.author),
        json_string(seal.reason)
    );
}

Response sealed_answer(const Seals& seals, Month month, int status) {
    const auto found = seals.months().lower_bound(month);
    if (found == seals.months().end()) {
        return http_server::problem(503, "unavailable", "the seal is not in the store yet");
    }
    return json_answer(month_json(month, found->second), status);
}

Response seal_now(const Sources& sources, const Request& request) {
    if (auto refusal = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refusal);
    }
    const Asked<Month> month = month_in_path(request, 0);
    Asked<std::string> reason = seal_reason(request);
    Asked<std::string> author = sources.keeper.author(request);
    if (!month || !reason) {
        return month ? reason.error() : month.error();
    }
    if (!author) {
        return author.error();
    }
    Ledger& ledger = *sources.ledger;
    const Instant now = ledger.clock().now();
    if (*month >= month_of(ledger.zone().day_of(now))) {
        return http_server::problem(
            409,
            "month-not-over",
            fmt::format(
                "{} is not over in {}: a month is sealed when nothing more can happen in it",
                month_text(*month),
                ledger.zone().zone().name()
            ),
            "month"
        );
    }
    Result<Seals> seals = ledger.seals();
    if (!seals) {
        return answer_error(seals.error());
    }
    if (seals->sealed().value_or(*month - 1) >= *month) {
        return sealed_answer(*seals, *month, 200);
    }
    const Result<void> said = seal_and_wait(
        ledger,
        *sources.collector,
        {.month = *month, .reason = *std::move(reason), .author = *std::move(author), .said = now}
    );
    seals = ledger.seals();
    if (!said || !seals) {
        return answer_error(said ? seals.error() : said.error());
    }
    return sealed_answer(*seals, *month, 201);
}

Response months_now(const Sources& sources, const Request& request) {
    if (auto refusal = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refusal);
    }
    const Result<Seals> seals = sources.ledger->seals();
    if (!seals) {
        return answer_error(seals.error());
    }
    std::string json = fmt::format(
        R"({{"zone":{},"currency":{},"months":[)",
        json_string(sources.ledger->zone().zone().name()),
        json_string(sources.ledger->currency())
    );
    for (const auto& [month, seal] : seals->months()) {
        begin_row(json);
        json += month_json(month, seal);
    }
    // Of those that nobody has sealed the ones of a year are told.
    constexpr Month open_months_told = 12;
    const Month now = month_of(sources.ledger->zone().day_of(sources.ledger->clock().now()));
    Month open = now - open_months_told + 1;
    if (!seals->months().empty()) {
        open = std::max(open, seals->months().rbegin()->first + 1);
    }
    for (; open <= now; ++open) {
        begin_row(json);
        json += fmt::format(
            R"({{"month":"{}","state":"open","sealed_at":null,"author":null,"reason":null}})",
            month_text(open)
        );
    }
    static const api::TableForm table{
        .lists = {{.name = "months"}},
        .columns = {"month", "state", "sealed_at", "author", "reason"}
    };
    return api::as_asked(request, json_answer(json + "]}"), table);
}

Response check_now(const Sources& sources, const Request& request) {
    if (auto refusal = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refusal);
    }
    const Result<LedgerCheck> check = LedgerCheck::read(sources.ledger->store());
    if (!check) {
        return answer_error(check.error());
    }
    std::string first;
    for (const std::string& each : check->first) {
        first += first.empty() ? "" : ",";
        first += json_string(each);
    }
    return json_answer(fmt::format(
        R"({{"checked_at":{},"differences":{},"first":[{}]}})",
        check->checked_at ? fmt::format(R"("{}")", events::format_rfc3339(*check->checked_at))
                          : "null",
        check->differences,
        first
    ));
}

Asked<std::string> split_currency(
    const Sources& sources, const Request& request, const std::stop_token& left
) {
    Asked<std::string> asked = currency_parameter(request);
    if (!asked || !asked->empty()) {
        return asked;
    }
    const auto known = ledger_currencies(*sources.ledger, left);
    if (!known) {
        return std::unexpected(answer_error(known.error()));
    }
    if (known->size() > 1) {
        return std::unexpected(currency_needed(*known));
    }
    return known->empty() ? sources.ledger->currency() : *known->begin();
}

Response split_now(const Sources& sources, const Request& request, const std::stop_token& left) {
    if (auto refusal = api::refuse_unknown_parameter(request, {"from", "to", "currency"})) {
        return *std::move(refusal);
    }
    Ledger& ledger = *sources.ledger;
    const auto range = api::range_parameters(request, ledger.zone().zone(), ledger.clock().now());
    if (!range) {
        return range.error();
    }
    const Asked<std::string> currency = split_currency(sources, request, left);
    if (!currency) {
        return currency.error();
    }
    const std::optional<DayRange> days = days_of(*range);
    const Result<Split> split = split_of(ledger, *currency, days, left);
    if (!split) {
        return answer_error(split.error(), "from");
    }
    return json_answer(fmt::format(
        R"({{"from":{},"to":{},"currency":{},"amount":"{}","resellers":"{}","publishers":"{}",)"
        R"("network":"{}","provisional":{}}})",
        days ? fmt::format(R"("{}")", format_day(days->from)) : "null",
        days ? fmt::format(R"("{}")", format_day(days->to)) : "null",
        json_string(*currency),
        money_text(split->amount),
        money_text(split->resellers),
        money_text(split->publishers),
        money_text(split->network()),
        split->provisional
    ));
}

std::string sums_json(PartyKind kind, const PartySums& sums) {
    Amounts all;
    std::string amounts;
    for (const auto& [currency, of_currency] : sums.by_currency) {
        all += of_currency;
        amounts += fmt::format(
            R"({}{}:"{}")",
            amounts.empty() ? "" : ",",
            json_string(currency),
            money_text(of_currency.amount)
        );
    }
    return fmt::format(
        R"({{"{}":{},{},"amounts":{{{}}}}})",
        keys::name_of(kind),
        json_string(sums.party),
        counts_json(all),
        amounts
    );
}

constexpr std::uint64_t listed_default = 50;
constexpr std::uint64_t listed_max = 500;

/// What a list of parties is asked.
struct ListQuestion {
    std::string prefix;
    std::string after;
    bool by_amount = false;
    std::string currency;
    std::size_t limit = listed_default;
};

Asked<ListQuestion> read_list_question(const Sources& sources, const Request& request) {
    if (auto refusal = api::refuse_unknown_parameter(
            request, {"prefix", "sort", "limit", "cursor", "currency"}
        )) {
        return std::unexpected(*std::move(refusal));
    }
    Asked<std::string> prefix = api::text_parameter(request, "prefix", "");
    Asked<std::string> after = api::text_parameter(request, "cursor", "");
    const Asked<std::string> sort = api::text_parameter(request, "sort", "name");
    Asked<std::string> currency = currency_parameter(request);
    const auto limit = api::number_parameter(request, "limit", listed_default, 1, listed_max);
    if (!prefix || !after) {
        return std::unexpected(prefix ? after.error() : prefix.error());
    }
    if (!sort || (*sort != "name" && *sort != "amount")) {
        return std::unexpected(invalid_input("sort must be name or amount", "sort"));
    }
    if (!currency || !limit) {
        return std::unexpected(currency ? limit.error() : currency.error());
    }
    ListQuestion question{
        .prefix = *std::move(prefix),
        .after = *std::move(after),
        .by_amount = *sort == "amount",
        .currency = currency->empty() ? sources.ledger->currency() : *std::move(currency),
        .limit = *limit
    };
    if (question.by_amount && (!question.prefix.empty() || !question.after.empty())) {
        return std::unexpected(
            invalid_input("prefix and cursor go with sort=name: the largest are one page", "sort")
        );
    }
    return question;
}

/// The largest are those that rows say: what waits here for its rows is written first.
Response parties_now(
    const Sources& sources, const Request& request, PartyKind kind, const std::stop_token& left
) {
    const Asked<ListQuestion> question = read_list_question(sources, request);
    if (!question) {
        return question.error();
    }
    Ledger& ledger = *sources.ledger;
    std::string json = fmt::format(R"({{"{}s":[)", keys::name_of(kind));
    std::string next = "null";
    if (question->by_amount) {
        if (const auto written = ledger.flush(true); !written) {
            return answer_error(written.error());
        }
        const auto largest =
            largest_parties(ledger, kind, question->currency, question->limit, left);
        if (!largest) {
            return answer_error(largest.error());
        }
        for (const PartySums& each : *largest) {
            json += json.ends_with('[') ? "" : ",";
            json += sums_json(kind, each);
        }
    } else {
        const auto listed =
            list_sums(ledger, kind, question->prefix, question->after, question->limit);
        if (!listed) {
            return answer_error(listed.error());
        }
        for (const PartySums& each : listed->parties) {
            json += json.ends_with('[') ? "" : ",";
            json += sums_json(kind, each);
        }
        if (listed->more && !listed->parties.empty()) {
            next = json_string(listed->parties.back().party);
        }
    }
    const api::TableForm table{
        .lists = {{.name = fmt::format("{}s", keys::name_of(kind))}},
        .columns = {keys::name_of(kind), "clicks", "sales", "refunds", "amounts"}
    };
    return api::as_asked(request, json_answer(json + fmt::format(R"(],"next":{}}})", next)), table);
}

}  // namespace

void add_ledger_routes(api::FrontDoor& door, const Sources& sources) {
    door.acting({.kind = "month_sealed"})
        .add(
            keys::Scope::money,
            Method::put,
            "/api/v1/ledger/months/{month}",
            on_lookups(sources, seal_now),
            {.bytes = api::small_json_bytes_max}
        );
    door.add(
        keys::Scope::money, Method::get, "/api/v1/ledger/months", on_lookups(sources, months_now)
    );
    door.add(
        keys::Scope::money, Method::get, "/api/v1/ledger/split", on_surveys(sources, split_now)
    );
    door.add(
        keys::Scope::money, Method::get, "/api/v1/ledger/check", on_lookups(sources, check_now)
    );
    for (const PartyKind kind : {PartyKind::reseller, PartyKind::publisher}) {
        door.add(
            keys::Scope::money,
            Method::get,
            party_path(kind, ""),
            on_surveys(
                sources,
                [kind](const Sources& from, const Request& request, const std::stop_token& left) {
                    return parties_now(from, request, kind, left);
                }
            )
        );
    }
}

}  // namespace footfall::ads::routes
