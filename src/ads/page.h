#pragma once

#include "ads/account.h"
#include "ads/exact.h"
#include "ads/income_report.h"
#include "ads/month.h"
#include "ads/rates.h"
#include "foundation/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace footfall::ads {

/// What a range of days comes to, rounded as a whole.
struct PageTotals {
    Amounts amounts;
    WideMicros earned = 0;
    WideMicros corrected = 0;
    bool sealed = false;  ///< All of the range is.

    WideMicros income() const { return earned + corrected; }
};

/// An account made ready for questions about any range: of each month all that was before it, and
/// its days packed, 7 to 10 bytes each. A question looks at two months at most, whatever the range
/// and however many rates there are. The sums are those of make_income(); what is open of days and
/// of adjustments is rounded as two rows.
///
/// A plain value that can be moved; not thread-safe.
class Page {
public:
    /// `known`: of days in months that are not sealed, where some change of the rate was recorded
    /// after them. O(days x changes of rates).
    static Result<Page> make(
        const Account& account,
        const Rates& rates,
        std::optional<Month> sealed,
        const KnownByDay& known = {}
    );

    /// About 0.3 us. Fails where sums are more than can be counted.
    Result<PageTotals> totals(DayRange range) const;

    /// The same with its adjustments, one a change: as make_income() tells it, without days.
    /// Absent: a change moved days at once of which some are in the range and some are not, so days
    /// have to be looked at one by one.
    Result<std::optional<IncomeReport>> report(DayRange range) const;

    /// Adds what came live. False: it belongs to a month that is not the last, or to another than
    /// its own, and the page has to be made anew. O(days of the month).
    Result<bool> add(Day day, Month booked, const Amounts& amounts);

    /// Bytes of the heap.
    std::size_t bytes() const;

    std::optional<Month> sealed() const { return sealed_; }

    /// The first and the last day with events; the first is behind the last if there are none.
    DayRange days() const { return days_; }

private:
    /// Sums of days and of adjustments. Of sealed months in micros, as they were rounded; of open
    /// ones exact.
    struct Sums {
        Amounts amounts;
        Exact earned = 0;
        Exact corrected = 0;
    };

    /// Of a month: what was before its days, with what was posted on its first: of all months that
    /// are sealed as it is. Laid out so that none of its 80 bytes is lost.
    struct Head {
        Month month = 0;
        std::uint32_t begin = 0;  ///< Of its days in packed_.
        std::uint64_t clicks = 0;
        std::uint64_t sales = 0;
        std::uint64_t refunds = 0;
        WideMicros amount = 0;
        Exact earned = 0;
        Exact corrected = 0;

        Sums before() const {
            return {
                .amounts = {.clicks = clicks, .sales = sales, .refunds = refunds, .amount = amount},
                .earned = earned,
                .corrected = corrected
            };
        }
    };

    /// From a day on, days of their own months have this share.
    struct OwnShare {
        Day from = 0;
        Millionths share = 0;
    };

    /// What stands up to a day: of sealed months, and of open ones.
    struct UpTo {
        Sums sealed;
        Sums open;
    };

    /// All adjustments that follow from one change: posted in one month, or moved at once.
    struct Change {
        Adjustment sum;          ///< Its day is the first,
        Day last = 0;            ///< and this the last.
        WideMicros rounded = 0;  ///< Of a sealed month: its rows, as they stand.
        bool sealed = false;
    };

    Page() = default;

    bool is_sealed(Month month) const { return sealed_ && month <= *sealed_; }

    void set_shares(const Rates& rates);
    Millionths share_on(Day day) const;
    Result<void> note_change(const Adjustment& adjustment, std::optional<WideMicros> rounded);
    void append_head(Month month, const Sums& before);
    Result<void> append_month(const Account& account, const Rates& rates, Month month);
    Result<UpTo> up_to(Day day) const;
    Result<void> add_days(std::size_t head, Day last, Sums& sums) const;
    std::string_view days_of(std::size_t head) const;
    void append_day(Day day, Month month, const Amounts& amounts, WideMicros income);

    std::vector<Head> heads_;  ///< Ascending; of months with days or adjustments.
    std::string packed_;
    std::vector<OwnShare> shares_;
    std::optional<Month> sealed_;
    std::vector<Change> changes_;
    DayRange days_{.from = 0, .to = -1};
    Sums all_sealed_;
    Sums all_open_;
};

}  // namespace footfall::ads
