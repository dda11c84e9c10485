#include "ads/page.h"

#include "ads/packed.h"
#include "ads/rounding.h"
#include "foundation/check.h"
#include "foundation/varint.h"

#include <algorithm>
#include <array>

namespace footfall::ads {
namespace {

Amounts difference(const Amounts& more, const Amounts& less) {
    return {
        .clicks = more.clicks - less.clicks,
        .sales = more.sales - less.sales,
        .refunds = more.refunds - less.refunds,
        .amount = more.amount - less.amount
    };
}

/// A day as it stands packed.
struct PackedDay {
    Day day = 0;
    Amounts amounts;
    WideMicros income = 0;  ///< Of a sealed month.
};

/// Takes a day off the front of days that this program packed.
PackedDay take_day(std::string_view& bytes, Month month, bool sealed) {
    std::uint64_t in_month = 0;
    PackedDay day;
    const bool is_whole = take_varint(bytes, in_month) && take_amounts(bytes, day.amounts) &&
                          (!sealed || take_micros(bytes, day.income));
    CHECK(is_whole, "what a page packed it reads");
    day.day = first_day(month) + static_cast<Day>(in_month);
    return day;
}

/// The last month of which there may be anything.
Month last_month(const Account& account, const Rates& rates) {
    Month last =
        std::max(month_of(account.last()), account.last_late().value_or(from_the_beginning));
    for (const RateChange& each : rates.in_order()) {
        last = std::max(last, each.booked);
    }
    return last;
}

}  // namespace

Result<Page> Page::make(
    const Account& account, const Rates& rates, std::optional<Month> sealed, const KnownByDay& known
) {
    Page page;
    page.sealed_ = sealed;
    page.set_shares(rates);
    if (account.empty()) {
        return page;
    }
    page.days_ = {.from = account.first(), .to = account.last()};
    const Month last = last_month(account, rates);
    for (Month month = month_of(account.first()); month <= last; ++month) {
        TRY_VOID(page.append_month(account, rates, month));
    }
    TRY(const std::vector<Adjustment> moved, moved_at_once(known, rates));
    for (const Adjustment& each : moved) {
        TRY_VOID(page.note_change(each, std::nullopt));
    }
    page.changes_.shrink_to_fit();
    page.packed_.shrink_to_fit();
    page.heads_.shrink_to_fit();
    return page;
}

/// What is in force of days of their own months changes only where a rate begins to hold, and where
/// a month begins that a change was booked in.
void Page::set_shares(const Rates& rates) {
    std::vector<Day> turns;
    for (const RateChange& each : rates.in_order()) {
        turns.push_back(each.effective);
        if (each.booked != from_the_beginning) {
            turns.push_back(first_day(each.booked));
        }
    }
    std::ranges::sort(turns);
    for (const Day day : turns) {
        const Millionths share = rates.share(day, month_of(day));
        if (shares_.empty() ? share != 0 : share != shares_.back().share) {
            shares_.push_back({.from = day, .share = share});
        }
    }
}

Millionths Page::share_on(Day day) const {
    const auto next = std::ranges::upper_bound(shares_, day, {}, &OwnShare::from);
    return next == shares_.begin() ? 0 : std::prev(next)->share;
}

Result<void> Page::append_month(const Account& account, const Rates& rates, Month month) {
    TRY(const Income income, account.income(first_day(month), last_day(month), rates));
    if (income.days.empty() && income.adjustments.empty()) {
        return {};
    }
    const bool sealed = is_sealed(month);
    std::vector<Exact> rows;
    rows.reserve(income.days.size() + income.adjustments.size());
    for (const DayIncome& each : income.days) {
        rows.push_back(each.income);
    }
    for (const Adjustment& each : income.adjustments) {
        rows.push_back(each.is - each.was);
    }
    if (sealed) {
        TRY(rows, spread(rows));
    }
    Sums& sums = sealed ? all_sealed_ : all_open_;
    auto row = rows.begin() + static_cast<std::ptrdiff_t>(income.days.size());
    for (const Adjustment& each : income.adjustments) {
        sums.amounts += each.amounts;
        TRY_VOID(note_change(each, sealed ? std::optional{*row} : std::nullopt));
        TRY(sums.corrected, sum_of(sums.corrected, *row++));
    }
    append_head(month, sums);
    row = rows.begin();
    for (const DayIncome& each : income.days) {
        append_day(each.day, month, each.amounts, sealed ? *row : 0);
        sums.amounts += each.amounts;
        TRY(sums.earned, sum_of(sums.earned, *row++));
    }
    return {};
}

Result<void> Page::note_change(const Adjustment& adjustment, std::optional<WideMicros> rounded) {
    const auto found = std::ranges::find_if(changes_, [&](const Change& each) {
        return each.sum.posted == adjustment.posted && each.sum.cause == adjustment.cause &&
               each.sum.recorded == adjustment.recorded;
    });
    if (found == changes_.end()) {
        changes_.push_back(
            {.sum = adjustment,
             .last = adjustment.day,
             .rounded = rounded.value_or(0),
             .sealed = rounded.has_value()}
        );
        return {};
    }
    found->sum.day = std::min(found->sum.day, adjustment.day);
    found->last = std::max(found->last, adjustment.day);
    found->sum.amounts += adjustment.amounts;
    TRY(found->sum.was, sum_of(found->sum.was, adjustment.was));
    TRY(found->sum.is, sum_of(found->sum.is, adjustment.is));
    found->rounded += rounded.value_or(0);
    return {};
}

void Page::append_head(Month month, const Sums& before) {
    heads_.push_back(
        {.month = month,
         .begin = static_cast<std::uint32_t>(packed_.size()),
         .clicks = before.amounts.clicks,
         .sales = before.amounts.sales,
         .refunds = before.amounts.refunds,
         .amount = before.amounts.amount,
         .earned = before.earned,
         .corrected = before.corrected}
    );
}

void Page::append_day(Day day, Month month, const Amounts& amounts, WideMicros income) {
    append_varint(static_cast<std::uint64_t>(day - first_day(month)), packed_);
    append_amounts(amounts, packed_);
    if (is_sealed(month)) {
        append_micros(income, packed_);
    }
}

std::string_view Page::days_of(std::size_t head) const {
    const std::size_t begin = heads_[head].begin;
    const std::size_t end = head + 1 < heads_.size() ? heads_[head + 1].begin : packed_.size();
    return std::string_view{packed_}.substr(begin, end - begin);
}

Result<void> Page::add_days(std::size_t head, Day last, Sums& sums) const {
    const Month month = heads_[head].month;
    const bool sealed = is_sealed(month);
    std::string_view left = days_of(head);
    auto next = std::ranges::upper_bound(shares_, first_day(month), {}, &OwnShare::from);
    Millionths share = next == shares_.begin() ? 0 : std::prev(next)->share;
    while (!left.empty()) {
        const PackedDay day = take_day(left, month, sealed);
        if (day.day > last) {
            break;
        }
        for (; next != shares_.end() && next->from <= day.day; ++next) {
            share = next->share;
        }
        sums.amounts += day.amounts;
        Exact income = day.income;
        if (!sealed) {
            TRY(income, share_of(day.amounts.amount, share));
        }
        TRY(sums.earned, sum_of(sums.earned, income));
    }
    return {};
}

Result<Page::UpTo> Page::up_to(Day day) const {
    const Month month = month_of(day);
    const auto next = std::ranges::upper_bound(heads_, month, {}, &Head::month);
    if (next == heads_.begin()) {
        return UpTo{};
    }
    const Head& head = *std::prev(next);
    const bool sealed = is_sealed(head.month);
    UpTo found;
    Sums& sums = sealed ? found.sealed : found.open;
    if (!sealed) {
        found.sealed = all_sealed_;
    }
    sums = head.before();
    TRY_VOID(add_days(static_cast<std::size_t>(std::prev(next) - heads_.begin()), day, sums));
    return found;
}

Result<PageTotals> Page::totals(DayRange range) const {
    TRY(const UpTo end, up_to(range.to));
    TRY(const UpTo begin, up_to(range.from - 1));
    const std::array<Exact, 2> open{
        end.open.earned - begin.open.earned, end.open.corrected - begin.open.corrected
    };
    PageTotals totals{
        .amounts = difference(end.sealed.amounts, begin.sealed.amounts),
        .earned = end.sealed.earned - begin.sealed.earned,
        .corrected = end.sealed.corrected - begin.sealed.corrected,
        .sealed = is_sealed(month_of(range.to))
    };
    totals.amounts += difference(end.open.amounts, begin.open.amounts);
    if (open[1] == 0) {
        totals.earned += rounded(open[0]);
    } else {
        TRY(const std::vector<WideMicros> shown, spread(open));
        totals.earned += shown[0];
        totals.corrected += shown[1];
    }
    return totals;
}

Result<std::optional<IncomeReport>> Page::report(DayRange range) const {
    TRY(const PageTotals sums, totals(range));
    IncomeReport report{
        .amounts = sums.amounts,
        .earned = sums.earned,
        .corrected = sums.corrected,
        .sealed = sums.sealed
    };
    WideMicros open_corrected = sums.corrected;
    std::vector<Exact> open;
    std::vector<std::size_t> of_open;
    for (const Change& each : changes_) {
        const bool is_posted = each.sum.posted.has_value();
        const Day first = each.sum.posted.value_or(each.sum.day);
        const Day last = each.sum.posted.value_or(each.last);
        if (last < range.from || first > range.to) {
            continue;
        }
        if (first < range.from || last > range.to) {
            return std::optional<IncomeReport>{};
        }
        report.adjustments.push_back({.what = each.sum, .sealed = each.sealed});
        ShownAdjustment& shown = report.adjustments.back();
        if (each.sealed) {
            shown.difference = each.rounded;
            open_corrected -= each.rounded;
        } else if (is_posted) {
            open.push_back(each.sum.is - each.sum.was);
            of_open.push_back(report.adjustments.size() - 1);
        } else {
            shown.difference = rounded(each.sum.is - each.sum.was);
        }
    }
    const std::vector<WideMicros> differences = spread_to(open_corrected, open);
    for (std::size_t at = 0; at < of_open.size(); ++at) {
        report.adjustments[of_open[at]].difference = differences[at];
    }
    return std::optional{std::move(report)};
}

Result<bool> Page::add(Day day, Month booked, const Amounts& amounts) {
    const bool is_last = heads_.empty() || heads_.back().month <= booked;
    if (booked != month_of(day) || is_sealed(booked) || !is_last) {
        return false;
    }
    if (heads_.empty() || heads_.back().month < booked) {
        append_head(booked, all_open_);
    }
    std::vector<PackedDay> days;
    for (std::string_view left = days_of(heads_.size() - 1); !left.empty();) {
        days.push_back(take_day(left, booked, false));
    }
    auto place = std::ranges::lower_bound(days, day, {}, &PackedDay::day);
    if (place == days.end() || place->day != day) {
        place = days.insert(place, {.day = day});
    }
    place->amounts += amounts;
    packed_.resize(heads_.back().begin);
    for (const PackedDay& each : days) {
        append_day(each.day, booked, each.amounts, 0);
    }
    TRY(const Exact income, share_of(amounts.amount, share_on(day)));
    TRY(all_open_.earned, sum_of(all_open_.earned, income));
    all_open_.amounts += amounts;
    const bool is_first = days_.from > days_.to;
    days_ = {
        .from = is_first ? day : std::min(days_.from, day),
        .to = is_first ? day : std::max(days_.to, day)
    };
    return true;
}

std::size_t Page::bytes() const {
    return packed_.capacity() + heads_.capacity() * sizeof(Head) +
           shares_.capacity() * sizeof(OwnShare) + changes_.capacity() * sizeof(Change);
}

}  // namespace footfall::ads
