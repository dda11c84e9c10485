#include "ads/income_report.h"

#include "ads/rounding.h"
#include "foundation/calendar_day.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace footfall::ads {
namespace {

/// Appends rows of an income to a report, those of the range alone, each as it was rounded with all
/// of them.
Result<void> append_rows(
    const Income& income, const Rates& rates, DayRange range, bool sealed, IncomeReport& report
) {
    std::vector<Exact> exact;
    exact.reserve(income.days.size() + income.adjustments.size());
    for (const DayIncome& each : income.days) {
        exact.push_back(each.income);
    }
    for (const Adjustment& each : income.adjustments) {
        exact.push_back(each.is - each.was);
    }
    TRY(const std::vector<WideMicros> shown, spread(exact));
    auto next = shown.begin();
    for (const DayIncome& each : income.days) {
        const WideMicros micros = *next++;
        if (each.day >= range.from && each.day <= range.to) {
            report.days.push_back(
                {.day = each.day,
                 .amounts = each.amounts,
                 .share = rates.share(each.day, month_of(each.day)),
                 .income = micros,
                 .sealed = sealed}
            );
            report.earned += micros;
            report.amounts += each.amounts;
        }
    }
    for (const Adjustment& each : income.adjustments) {
        const WideMicros micros = *next++;
        if (*each.posted >= range.from && *each.posted <= range.to) {
            report.adjustments.push_back({.what = each, .difference = micros, .sealed = sealed});
            report.corrected += micros;
            report.amounts += each.amounts;
        }
    }
    return {};
}

}  // namespace

Result<void> check_order(DayRange range) {
    if (range.to < range.from) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "the range ends on {}, before it begins on {}",
                format_day(range.to),
                format_day(range.from)
            )
        );
    }
    return {};
}

Result<IncomeReport> make_income(
    const Account& account, const Rates& rates, std::optional<Month> sealed, DayRange range
) {
    IncomeReport report;
    report.sealed = sealed && month_of(range.to) <= *sealed;
    Day open_from = range.from;
    if (sealed && !account.empty()) {
        const Month last = std::min(*sealed, month_of(range.to));
        for (Month month = std::max(month_of(range.from), month_of(account.first())); month <= last;
             ++month) {
            TRY(const Income income, account.income(first_day(month), last_day(month), rates));
            TRY_VOID(append_rows(income, rates, range, true, report));
        }
        open_from = std::max(range.from, first_day(*sealed + 1));
    }
    if (open_from <= range.to) {
        TRY(const Income income, account.income(open_from, range.to, rates));
        TRY_VOID(append_rows(income, rates, range, false, report));
    }
    return report;
}

Result<Exact> exact_income(const Account& account, const Rates& rates, DayRange range) {
    TRY(const Income income, account.income(range.from, range.to, rates));
    Exact sum = 0;
    for (const DayIncome& each : income.days) {
        TRY(sum, sum_of(sum, each.income));
    }
    for (const Adjustment& each : income.adjustments) {
        TRY(sum, sum_of(sum, each.is - each.was));
    }
    return sum;
}

}  // namespace footfall::ads
