#pragma once

#include "ads/account.h"
#include "ads/exact.h"
#include "ads/month.h"
#include "ads/rates.h"
#include "foundation/result.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace footfall::ads {

/// Both included.
struct DayRange {
    Day from = 0;
    Day to = 0;
};

/// More than events can have.
inline constexpr DayRange all_days{.from = -1'000'000, .to = 4'000'000};

/// invalid_input for a range that ends before it begins.
Result<void> check_order(DayRange range);

/// A day as it is shown.
struct ShownDay {
    Day day = 0;
    Amounts amounts;
    std::optional<Millionths> share;  ///< Absent where the day has two.
    WideMicros income = 0;
    bool sealed = false;
};

struct ShownAdjustment {
    Adjustment what;
    WideMicros difference = 0;  ///< Rounded with the other rows.
    bool sealed = false;
};

/// What a party earned in a range of days, in one currency, as it is shown: rows in micros that add
/// up to its sums.
struct IncomeReport {
    Amounts amounts;  ///< Of the days, and of what was posted late.
    WideMicros earned = 0;
    WideMicros corrected = 0;
    std::vector<ShownDay> days;                ///< Ascending; those with events.
    std::vector<ShownAdjustment> adjustments;  ///< Posted ones, by the day posted, then others.
    bool sealed = false;                       ///< All of the range is.

    WideMicros income() const { return earned + corrected; }
};

/// What an account earned from range.from to range.to. `sealed`: the last month that is sealed;
/// absent: none is. A sealed month's rows are rounded among themselves, whatever is asked beside
/// them, so it never changes; the open ones are rounded together (rounding.h). Pure. Cost:
/// Account::income(), and again for each sealed month.
Result<IncomeReport> make_income(
    const Account& account, const Rates& rates, std::optional<Month> sealed, DayRange range
);

/// The exact income of the range, with what was posted in it, unrounded. Pure.
Result<Exact> exact_income(const Account& account, const Rates& rates, DayRange range);

}  // namespace footfall::ads
