#include "ads_routes/income_answers.h"

#include "ads/income_rows.h"
#include "ads/money_text.h"
#include "events/rfc3339.h"
#include "foundation/calendar_day.h"
#include "foundation/json_string.h"
#include "keys/party.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace footfall::ads::routes {
namespace {

/// One a change, where nobody asked for days: of its first day.
std::vector<ShownAdjustment> one_a_change(const std::vector<ShownAdjustment>& all) {
    using Key = std::tuple<std::optional<Day>, Cause, std::uint64_t>;
    std::map<Key, ShownAdjustment> by_change;
    for (const ShownAdjustment& each : all) {
        const Key key{each.what.posted, each.what.cause, each.what.recorded};
        const auto [found, is_first] = by_change.try_emplace(key, each);
        if (!is_first) {
            ShownAdjustment& sum = found->second;
            sum.what.day = std::min(sum.what.day, each.what.day);
            sum.what.amounts += each.what.amounts;
            sum.what.was += each.what.was;
            sum.what.is += each.what.is;
            sum.difference += each.difference;
        }
    }
    std::vector<ShownAdjustment> found;
    found.reserve(by_change.size());
    for (const auto& [key, each] : by_change) {
        found.push_back(each);
    }
    return found;
}

/// What a row is called; the list of them has an "s" more.
std::string_view row_name(const IncomeQuestion& question) {
    switch (question.group_by) {
        case Grouping::month:
            return "month";
        case Grouping::hour:
            return "hour";
        case Grouping::ad:
            return "ad";
        case Grouping::other_party:
            return keys::name_of(
                question.kind == PartyKind::reseller ? PartyKind::publisher : PartyKind::reseller
            );
        case Grouping::day:
        case Grouping::none:
            break;
    }
    return "day";
}

std::string group_name(const IncomeQuestion& question, const Group& group) {
    switch (question.group_by) {
        case Grouping::month:
            return json_string(month_text(month_of(group.day)));
        case Grouping::hour:
            return json_string(events::format_rfc3339(group.begin));
        default:
            return json_string(group.name);
    }
}

void append_rows(const IncomeQuestion& question, const IncomeAnswer& answer, std::string& json) {
    if (question.group_by == Grouping::none) {
        return;
    }
    json += fmt::format(R"(,"{}s":[)", row_name(question));
    if (question.group_by == Grouping::day) {
        for (const ShownDay& each : answer.report.days) {
            append_day_row(each, json);
        }
    }
    for (const Group& each : answer.groups) {
        begin_row(json);
        json += fmt::format(
            R"({{"{}":{},{},"amount":"{}","income":"{}"}})",
            row_name(question),
            group_name(question, each),
            counts_json(each.amounts),
            money_text(each.amounts.amount),
            money_text(each.income)
        );
    }
    json += ']';
}

void append_refused(const Refusals& refused, std::string& json) {
    json += R"("refused":{)";
    for (const auto& [reason, events] : refused) {
        json += fmt::format("{}{}:{}", json.ends_with('{') ? "" : ",", json_string(reason), events);
    }
    json += '}';
}

std::uint64_t events_of(const Amounts& amounts, const Refusals& refused) {
    std::uint64_t events = amounts.clicks + amounts.sales + amounts.refunds;
    for (const auto& [reason, of_reason] : refused) {
        events += of_reason;
    }
    return events;
}

}  // namespace

std::string income_json(
    const Ledger& ledger, const IncomeQuestion& question, const IncomeAnswer& answer
) {
    const IncomeReport& report = answer.report;
    const Day today = ledger.zone().day_of(ledger.clock().now());
    std::string json = fmt::format(
        R"({{"{}":{},"from":"{}","to":"{}","as_of":"{}","tz":{},"currency":{},{},"amount":"{}",)"
        R"("earned":"{}","corrected":"{}","income":"{}","sealed":{},"provisional":{})",
        keys::name_of(question.kind),
        json_string(question.party),
        format_day(answer.range.from),
        format_day(answer.range.to),
        format_day(question.as_of.value_or(today)),
        json_string(question.zone ? question.zone->name() : ledger.zone().zone().name()),
        json_string(question.currency),
        counts_json(report.amounts),
        money_text(report.amounts.amount),
        money_text(report.earned),
        money_text(report.corrected),
        money_text(report.income()),
        report.sealed,
        answer.provisional
    );
    append_rows(question, answer, json);
    json += R"(,"adjustments":[)";
    const bool by_change = question.group_by == Grouping::none;
    for (const ShownAdjustment& each :
         by_change ? one_a_change(report.adjustments) : report.adjustments) {
        append_adjustment_row(answer.rates, each, json);
    }
    return json + "]}";
}

api::TableForm income_table(const IncomeQuestion& question) {
    constexpr std::array<std::string_view, 14> of_all{
        "clicks",
        "sales",
        "refunds",
        "amount",
        "reward_percent",
        "income",
        "posted",
        "cause",
        "was",
        "is",
        "difference",
        "recorded_at",
        "author",
        "reason"
    };
    api::TableForm form;
    const std::string_view row = row_name(question);
    if (question.group_by != Grouping::none) {
        form.lists.push_back({.name = std::string{row} + "s", .row = row});
    }
    form.lists.push_back({.name = "adjustments", .row = "adjustment"});
    form.columns.push_back(row);
    if (row != "day") {
        form.columns.emplace_back("day");
    }
    form.columns.insert(form.columns.end(), of_all.begin(), of_all.end());
    form.columns.emplace_back("sealed");
    return form;
}

api::TableForm clicks_table() {
    return {
        .lists = {{.name = "days"}},
        .columns = {"day", "events", "clicks", "sales", "refunds", "refused"}
    };
}

std::string clicks_json(
    std::string_view kind, std::string_view name, const ClicksAnswer& answer, bool with_amounts
) {
    std::string json = fmt::format(
        R"({{"{}":{},"events":{},{},)",
        kind,
        json_string(name),
        events_of(answer.counts, answer.refused),
        counts_json(answer.counts)
    );
    append_refused(answer.refused, json);
    if (with_amounts) {
        json += R"(,"amounts":{)";
        for (const auto& [currency, amount] : answer.amounts) {
            json += fmt::format(
                R"({}{}:"{}")",
                json.ends_with('{') ? "" : ",",
                json_string(currency),
                money_text(amount)
            );
        }
        json += '}';
    }
    json += fmt::format(R"(,"provisional":{},"days":[)", answer.provisional);
    for (const ClicksDay& each : answer.days) {
        begin_row(json);
        json += fmt::format(
            R"({{"day":"{}","events":{},{},)",
            format_day(each.day),
            events_of(each.amounts, each.refused),
            counts_json(each.amounts)
        );
        append_refused(each.refused, json);
        json += '}';
    }
    return json + "]}";
}

}  // namespace footfall::ads::routes
