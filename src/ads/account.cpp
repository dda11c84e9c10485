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
    // Mostly the last one so far, or new behind it.
    by_day_.try_emplace(by_day_.end(), day)->second[booked] += amounts;
    if (booked > month_of(day)) {
        late_[booked].insert(day);
    }
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
    for (const Month month : months_of_adjustments(first, month_of(to), rates)) {
        TRY_VOID(add_adjustments(month, rates, income));
    }
    return income;
}

/// The months of a range, however long it is, in which something is booked of earlier days.
std::set<Month> Account::months_of_adjustments(Month from, Month to, const Rates& rates) const {
    std::set<Month> months;
    for (auto late = late_.lower_bound(from); late != late_.end() && late->first <= to; ++late) {
        months.insert(late->first);
    }
    for (const RateChange& change : rates.in_order()) {
        if (change.booked >= from && change.booked <= to) {
            months.insert(change.booked);
        }
    }
    return months;
}

/// Of each day before `month`: late events first, at the rate that was in force, then one change of
/// the rate after the other, of all that is there.
Result<void> Account::add_adjustments(Month month, const Rates& rates, Income& income) const {
    const std::vector<RateChange> changes = rates.booked_in(month);
    if (changes.empty()) {
        const auto late = late_.find(month);
        if (late != late_.end()) {
            for (const Day day : late->second) {
                TRY_VOID(add_adjustments(month, *by_day_.find(day), rates, changes, income));
            }
        }
        return {};
    }
    const auto end = by_day_.lower_bound(first_day(month));
    for (auto each = by_day_.begin(); each != end; ++each) {
        TRY_VOID(add_adjustments(month, *each, rates, changes, income));
    }
    return {};
}

Result<void> Account::add_adjustments(
    Month month,
    const ByDay::value_type& of_day,
    const Rates& rates,
    std::span<const RateChange> changes,
    Income& income
) {
    const auto& [day, booked] = of_day;
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
    return {};
}

Result<std::vector<Adjustment>> moved_at_once(const KnownByDay& days, const Rates& rates) {
    std::vector<Adjustment> moved;
    for (const RateChange& change : rates.in_order()) {
        for (auto each = days.lower_bound(change.effective);
             each != days.end() && each->first <= change.known;
             ++each) {
            const Day day = each->first;
            const Millionths before = rates.share(day, month_of(day), change.recorded - 1);
            const Millionths after = rates.share(day, month_of(day), change.recorded);
            if (before == after) {
                continue;
            }
            WideMicros amount = 0;
            for (const KnownAmount& part : each->second) {
                amount += part.known < change.recorded ? part.amount : 0;
            }
            if (amount != 0) {
                TRY(const Exact was, share_of(amount, before));
                TRY(const Exact is, share_of(amount, after));
                moved.push_back(
                    {.day = day,
                     .cause = Cause::rate,
                     .recorded = change.recorded,
                     .was = was,
                     .is = is}
                );
            }
        }
    }
    return moved;
}

Month booked_month(Day day, std::optional<Month> sealed) {
    return sealed ? std::max(month_of(day), *sealed + 1) : month_of(day);
}

Month booked_month_of_rate(std::optional<Month> sealed) {
    return sealed ? *sealed + 1 : from_the_beginning;
}

}  // namespace footfall::ads
