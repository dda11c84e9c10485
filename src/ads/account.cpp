#include "ads/account.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace footfall::ads {
namespace {

Adjustment adjustment(Day day, Month month, Cause cause, Exact was, Exact is) {
    return {
        .day = day, .posted = first_day(month), .cause = cause, .amounts = {}, .was = was, .is = is
    };
}

}  // namespace

Amounts& Amounts::operator+=(const Amounts& more) {
    clicks += more.clicks;
    sales += more.sales;
    refunds += more.refunds;
    amount += more.amount;
    return *this;
}

void Account::add(Day day, Month booked, const Amounts& amounts) {
    by_day_[day][booked] += amounts;
}

Amounts Account::up_to(const Booked& booked, Month month) {
    Amounts sum;
    for (const auto& [at, amounts] : booked) {
        if (at <= month) {
            sum += amounts;
        }
    }
    return sum;
}

Result<Exact> Account::value(Day day, Month month, const Rates& rates) const {
    const auto found = by_day_.find(day);
    if (found == by_day_.end()) {
        return Exact{0};
    }
    return share_of(up_to(found->second, month).amount, rates.share(day, month));
}

Result<Income> Account::income(Day from, Day to, const Rates& rates) const {
    Income income;
    const auto end = by_day_.upper_bound(to);
    for (auto each = by_day_.lower_bound(from); each != end; ++each) {
        const Month own = month_of(each->first);
        const Amounts amounts = up_to(each->second, own);
        TRY(const Exact earned, share_of(amounts.amount, rates.share(each->first, own)));
        if (amounts != Amounts{}) {
            income.days.push_back({.day = each->first, .amounts = amounts, .income = earned});
        }
    }
    const Month first = month_of(from) + (first_day(month_of(from)) < from ? 1 : 0);
    for (Month month = first; month <= month_of(to); ++month) {
        TRY_VOID(add_adjustments(month, rates, income));
    }
    return income;
}

/// Of each day before `month`: late events first, at the rate that was in force, then one change of
/// the rate after the other, of all that is there.
Result<void> Account::add_adjustments(Month month, const Rates& rates, Income& income) const {
    const std::vector<RateChange> changes = rates.booked_in(month);
    const auto end = by_day_.lower_bound(first_day(month));
    for (auto each = by_day_.begin(); each != end; ++each) {
        const auto& [day, booked] = *each;
        Millionths share = rates.share(day, month - 1);
        const Amounts all = up_to(booked, month);
        TRY(Exact value, share_of(all.amount, share));
        if (const auto late = booked.find(month); late != booked.end()) {
            TRY(const Exact was, share_of(all.amount - late->second.amount, share));
            Adjustment& added =
                income.adjustments.emplace_back(adjustment(day, month, Cause::late, was, value));
            added.amounts = late->second;
        }
        for (const RateChange& change : changes) {
            const Millionths next = rates.share(day, month, change.recorded);
            if (next != share && all != Amounts{}) {
                TRY(const Exact is, share_of(all.amount, next));
                income.adjustments.emplace_back(adjustment(day, month, Cause::rate, value, is))
                    .recorded = change.recorded;
                value = is;
            }
            share = next;
        }
    }
    return {};
}

Month booked_month(Day day, std::optional<Month> sealed) {
    return sealed ? std::max(month_of(day), *sealed + 1) : month_of(day);
}

Month booked_month_of_rate(std::optional<Month> sealed) {
    return sealed ? *sealed + 1 : from_the_beginning;
}

}  // namespace footfall::ads
