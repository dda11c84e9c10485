#include "ads/reports.h"

#include "ads/account_rows.h"
#include "ads/parties.h"
#include "ads/rounding.h"
#include "foundation/calendar_day.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace footfall::ads {
namespace {

/// What one question is answered from.
struct Sources {
    Ledger* ledger;
    const IncomeQuestion* question;
    std::vector<WaitingLine> waiting;
    Account account;
    Rates rates;
    std::optional<Month> sealed;
    DayRange range;
};

/// Whose days are asked for.
const TimeZone& zone_of(const Sources& sources) {
    return sources.question->zone ? *sources.question->zone : sources.ledger->zone().zone();
}

Result<void> check_range(const IncomeQuestion& question, DayRange range) {
    TRY_VOID(check_order(range));
    const int days = range.to - range.from + 1;
    const bool by_hour = question.group_by == Grouping::hour;
    const bool by_month =
        question.group_by == Grouping::month || question.group_by == Grouping::none;
    const int most =
        by_hour ? IncomeQuestion::longest_range_by_hour : IncomeQuestion::longest_range;
    if (!by_month && days > most) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "{} days are more than {}: ask for fewer with from and to, or with "
                "group_by=month or none",
                days,
                most
            )
        );
    }
    return {};
}

/// Exact rows of another zone's days or of hours: quarter-hours, each valued as its ledger day is.
struct Slice {
    Amounts amounts;
    Exact income = 0;
    std::optional<Millionths> share;
    bool has_two_shares = false;
};

template <class Name, class NameOf>
Result<std::map<Name, Slice>> slices(Sources& sources, const NameOf& name_of) {
    const IncomeQuestion& question = *sources.question;
    TRY(const auto rows,
        read_day_rows(
            *sources.ledger,
            question.kind,
            question.party,
            question.currency,
            ledger_days_of(sources.range),
            sources.waiting
        ));
    std::map<Name, Slice> found;
    for (const DayRow& row : rows) {
        const Month own = month_of(row.day);
        if (row.booked != own || (question.as_of && row.arrived > *question.as_of)) {
            continue;
        }
        const Millionths share = sources.rates.share(row.day, own);
        for (const auto& [quarter, amounts] : row.cell.quarters) {
            const auto name = name_of(sources.ledger->zone().begin_of(row.day, quarter));
            if (!name) {
                continue;
            }
            Slice& slice = found[*name];
            slice.amounts += amounts;
            TRY(const Exact income, share_of(amounts.amount, share));
            TRY(slice.income, sum_of(slice.income, income));
            slice.has_two_shares = slice.has_two_shares || (slice.share && *slice.share != share);
            slice.share = share;
        }
    }
    return found;
}

bool is_in(std::int64_t day, DayRange range) {
    return day >= range.from && day <= range.to;
}

/// Days of another zone than the ledger's, with what was posted on ledger days of these dates.
Result<IncomeReport> income_in_zone(Sources& sources, const TimeZone& zone) {
    TRY(const auto days, slices<Day>(sources, [&](Instant begin) {
            const std::int64_t day = zone.day_of(begin);
            return is_in(day, sources.range) ? std::optional{static_cast<Day>(day)} : std::nullopt;
        }));
    TRY(Income posted, sources.account.income(sources.range.from, sources.range.to, sources.rates));
    std::vector<Exact> exact;
    exact.reserve(days.size() + posted.adjustments.size());
    for (const auto& [day, slice] : days) {
        exact.push_back(slice.income);
    }
    for (const Adjustment& each : posted.adjustments) {
        exact.push_back(each.is - each.was);
    }
    TRY(const std::vector<WideMicros> shown, spread(exact));
    IncomeReport report;
    auto next = shown.begin();
    for (const auto& [day, slice] : days) {
        report.days.push_back(
            {.day = day,
             .amounts = slice.amounts,
             .share = slice.has_two_shares ? std::nullopt : slice.share,
             .income = *next,
             .sealed = sources.sealed && month_of(day + 1) <= *sources.sealed}
        );
        report.earned += *next++;
        report.amounts += slice.amounts;
    }
    for (Adjustment& each : posted.adjustments) {
        report.corrected += *next;
        report.amounts += each.amounts;
        report.adjustments.push_back({.what = each, .difference = *next++, .sealed = false});
    }
    report.sealed = sources.sealed && month_of(sources.range.to + 1) <= *sources.sealed;
    return report;
}

/// Shares the sum of the days out among groups, by their exact incomes.
void share_out(WideMicros earned, std::vector<Group>& groups, const std::vector<Exact>& exact) {
    const std::vector<WideMicros> shown = spread_to(earned, exact);
    for (std::size_t at = 0; at < groups.size(); ++at) {
        groups[at].income = shown[at];
    }
}

Result<std::vector<Group>> by_hour(Sources& sources, WideMicros earned) {
    const TimeZone& zone = zone_of(sources);
    TRY(const auto hours, slices<Instant>(sources, [&](Instant begin) {
            return is_in(zone.day_of(begin), sources.range) ? std::optional{zone.hour_of(begin)}
                                                            : std::nullopt;
        }));
    std::vector<Group> groups;
    std::vector<Exact> exact;
    groups.reserve(hours.size());
    exact.reserve(hours.size());
    for (const auto& [begin, slice] : hours) {
        groups.push_back({.begin = begin, .amounts = slice.amounts});
        exact.push_back(slice.income);
    }
    share_out(earned, groups, exact);
    return groups;
}

Result<std::vector<Group>> by_name(Sources& sources, WideMicros earned) {
    const IncomeQuestion& question = *sources.question;
    TRY(const auto named,
        read_by_name(
            *sources.ledger,
            question.kind,
            question.party,
            question.currency,
            ledger_days_of(sources.range),
            question.group_by == Grouping::ad,
            sources.waiting
        ));
    const TimeZone& zone = zone_of(sources);
    std::map<std::string, Slice> by_name;
    for (const NamedAmounts& each : named) {
        if (question.as_of && each.arrived > *question.as_of) {
            continue;
        }
        const Millionths share = sources.rates.share(each.day, month_of(each.day));
        for (const auto& [quarter, amounts] : each.quarters) {
            const Instant begin = sources.ledger->zone().begin_of(each.day, quarter);
            if (!is_in(zone.day_of(begin), sources.range)) {
                continue;
            }
            Slice& slice = by_name[each.name];
            slice.amounts += amounts;
            TRY(const Exact income, share_of(amounts.amount, share));
            TRY(slice.income, sum_of(slice.income, income));
        }
    }
    std::vector<Group> groups;
    std::vector<Exact> exact;
    groups.reserve(by_name.size());
    exact.reserve(by_name.size());
    for (const auto& [name, slice] : by_name) {
        groups.push_back({.name = name, .amounts = slice.amounts});
        exact.push_back(slice.income);
    }
    share_out(earned, groups, exact);
    return groups;
}

std::vector<Group> by_month(const IncomeReport& report) {
    std::vector<Group> groups;
    for (const ShownDay& each : report.days) {
        const Day month = first_day(month_of(each.day));
        if (groups.empty() || groups.back().day != month) {
            groups.push_back({.day = month});
        }
        groups.back().amounts += each.amounts;
        groups.back().income += each.income;
    }
    return groups;
}

/// Tells what changes of the rate moved at once in days of the range that are not sealed.
Result<void> tell_moved(Sources& sources, IncomeReport& report) {
    const IncomeQuestion& question = *sources.question;
    TRY(const KnownByDay known,
        read_known(
            *sources.ledger,
            question.kind,
            question.party,
            question.currency,
            sources.rates,
            sources.sealed,
            sources.range,
            sources.waiting
        ));
    TRY(const std::vector<Adjustment> adjustments, moved_at_once(known, sources.rates));
    for (const Adjustment& each : adjustments) {
        const WideMicros difference = rounded(each.is - each.was);
        report.adjustments.push_back({.what = each, .difference = difference, .sealed = false});
    }
    return {};
}

Result<std::vector<Group>> groups_of(Sources& sources, const IncomeReport& report) {
    switch (sources.question->group_by) {
        case Grouping::month:
            return by_month(report);
        case Grouping::hour:
            return by_hour(sources, report.earned);
        case Grouping::ad:
        case Grouping::other_party:
            return by_name(sources, report.earned);
        case Grouping::none:
        case Grouping::day:
            break;
    }
    return std::vector<Group>{};
}

/// Since the ledger day of the first event, to today, as days of the zone that is asked for.
/// `days`: of the ledger, with events; if the first is behind the last there are none.
DayRange lifetime(const Ledger& ledger, const IncomeQuestion& question, DayRange days) {
    const TimeZone& of_ledger = ledger.zone().zone();
    const TimeZone& zone = question.zone ? *question.zone : of_ledger;
    const Instant now = ledger.clock().now();
    const auto today = static_cast<Day>(zone.day_of(now));
    DayRange range{.from = today, .to = today};
    if (days.from <= days.to) {
        const auto first = static_cast<Day>(zone.day_of(of_ledger.start_of(days.from)));
        range.from = std::min(today, first);
    }
    if (days.to > ledger.zone().day_of(now)) {
        const auto last = static_cast<Day>(zone.day_of(of_ledger.start_of(days.to)));
        range.to = std::max(today, last);
    }
    return range;
}

DayRange days_of(const Account& account) {
    return account.empty() ? DayRange{.from = 0, .to = -1}
                           : DayRange{.from = account.first(), .to = account.last()};
}

bool in_other_zone(const Ledger& ledger, const IncomeQuestion& question) {
    return question.zone && question.zone->name() != ledger.zone().zone().name();
}

}  // namespace

Result<std::set<std::string>> currencies_of(
    Ledger& ledger, PartyKind kind, std::string_view party
) {
    TRY(const WaitingLines waiting,
        ledger.waiting_lines({.kind = kind, .name = std::string{party}}));
    TRY(std::set<std::string> currencies, ledger.parties().currencies(kind, party));
    for (const WaitingLine& each : waiting.lines) {
        currencies.emplace(each.line.currency());
    }
    return currencies;
}

Result<std::optional<IncomeAnswer>> income_from_page(
    Ledger& ledger, const IncomeQuestion& question, bool may_wait
) {
    const bool is_for_pages = question.group_by == Grouping::none && !question.as_of &&
                              !in_other_zone(ledger, question) && ledger.pages() != nullptr;
    if (!is_for_pages) {
        return std::optional<IncomeAnswer>{};
    }
    const DayRange range = question.range.value_or(all_days);
    TRY_VOID(check_range(question, range));
    // What was acknowledged is in the answer.
    if (may_wait) {
        ledger.hand_over();
    } else if (ledger.is_to_hand_over()) {
        return std::optional<IncomeAnswer>{};
    }
    PartyPages& pages = *ledger.pages();
    TRY(auto told,
        may_wait ? pages.ask(question.kind, question.party, question.currency, range)
                 : pages.find(question.kind, question.party, question.currency, range));
    if (!told || (!may_wait && !told->report.adjustments.empty())) {
        return std::optional<IncomeAnswer>{};
    }
    IncomeAnswer answer{
        .range = question.range ? *question.range : lifetime(ledger, question, told->days),
        .report = std::move(told->report),
        .sealed = told->sealed,
        .provisional = ledger.seal_progress().is_sealing()
    };
    answer.report.sealed = told->sealed && month_of(answer.range.to) <= *told->sealed;
    if (!answer.report.adjustments.empty()) {
        TRY(answer.rates, RateHistory::read(ledger.store(), question.kind, question.party));
    }
    return std::optional{std::move(answer)};
}

Result<IncomeAnswer> income_of(Ledger& ledger, const IncomeQuestion& question) {
    TRY(auto from_page, income_from_page(ledger, question, true));
    if (from_page) {
        return *std::move(from_page);
    }
    TRY(WaitingLines waiting,
        ledger.waiting_lines({.kind = question.kind, .name = question.party}));
    IncomeAnswer answer{.range = {}, .provisional = waiting.provisional};
    std::optional<Instant> before;
    if (question.as_of) {
        before = ledger.zone().zone().end_of(*question.as_of);
    }
    TRY(const Seals seals, ledger.seals());
    answer.sealed = seals.sealed(before);
    answer.provisional = answer.provisional || seals.is_sealing();
    TRY(answer.rates, RateHistory::read(ledger.store(), question.kind, question.party));
    Sources sources{
        .ledger = &ledger,
        .question = &question,
        .waiting = std::move(waiting.lines),
        .rates = answer.rates.rates(ledger.zone(), before),
        .sealed = answer.sealed
    };
    TRY(sources.account,
        question.as_of
            ? read_account_as_of(
                  ledger,
                  question.kind,
                  question.party,
                  question.currency,
                  sources.waiting,
                  *question.as_of
              )
            : read_account(
                  ledger, question.kind, question.party, question.currency, sources.waiting
              ));
    sources.range = question.range.value_or(lifetime(ledger, question, days_of(sources.account)));
    answer.range = sources.range;
    TRY_VOID(check_range(question, sources.range));
    TRY(answer.report,
        in_other_zone(ledger, question)
            ? income_in_zone(sources, zone_of(sources))
            : make_income(sources.account, sources.rates, sources.sealed, sources.range));
    TRY_VOID(tell_moved(sources, answer.report));
    TRY(answer.groups, groups_of(sources, answer.report));
    return answer;
}

}  // namespace footfall::ads
