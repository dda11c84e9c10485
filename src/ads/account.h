#pragma once

#include "ads/exact.h"
#include "ads/month.h"
#include "ads/rates.h"

#include <boost/container/flat_map.hpp>
#include <boost/container/small_vector.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace footfall::ads {

/// What some priced events come to. Refunds are below 0 and counted as such.
struct Amounts {
    std::uint64_t clicks = 0;
    std::uint64_t sales = 0;
    std::uint64_t refunds = 0;
    WideMicros amount = 0;

    Amounts& operator+=(const Amounts& more);
    friend bool operator==(const Amounts&, const Amounts&) = default;
};

/// Why a day is worth something else than its month earned for it.
enum class Cause : std::uint8_t {
    late,  ///< Events came after its month was sealed.
    rate,  ///< Its rate was changed after that.
};

/// A day of a range, with what was booked in its own month.
struct DayIncome {
    Day day = 0;
    Amounts amounts;
    Exact income = 0;
};

/// What a day is worth since something became known, in place of what it was worth before.
struct Adjustment {
    Day day = 0;
    /// The first day of the month that earns the difference, or pays it back. Absent: the day
    /// itself did, as its month was not sealed: it is told, and no money.
    std::optional<Day> posted;
    Cause cause = Cause::late;
    std::uint64_t recorded = 0;  ///< Of the change of the rate, if that is the cause.
    Amounts amounts;             ///< Of the late events, if those are.
    Exact was = 0;
    Exact is = 0;
};

struct Income {
    std::vector<DayIncome> days;          ///< Ascending; those with events.
    std::vector<Adjustment> adjustments;  ///< By posted, day, late before rate, recorded.
};

/// Amounts of a day that became known at one time.
struct KnownAmount {
    std::uint64_t known = 0;  ///< Compares with RateChange::recorded.
    WideMicros amount = 0;
};

/// Of days with what was booked in their own month.
using KnownByDay = std::map<Day, std::vector<KnownAmount>>;

/// What changes of the rate moved at once of these days: of what was known when the change was
/// recorded, as the month was not sealed. By recorded, then day. Pure. O(changes x days behind
/// them).
Result<std::vector<Adjustment>> moved_at_once(const KnownByDay& days, const Rates& rates);

/// What one party has in one currency: amounts by the day of the event and the month that they are
/// booked in. With a party's rates it says what that earned (design: a month earns the value of its
/// own days, and of each earlier day the difference to what it was worth by what had been booked
/// before; so all months together are all amounts at the latest rates, and a month in which nothing
/// is booked any more never changes). A plain value; not thread-safe.
class Account {
public:
    void add(Day day, Month booked, const Amounts& amounts);

    /// What `day` is worth by all that was booked up to `month`: its amount times its share.
    Result<Exact> value(Day day, Month month, const Rates& rates) const;

    /// What the days from `from` to `to`, both included, earned, and what was posted on them.
    /// O(days with events x changes of rates) for each month in which something was booked.
    Result<Income> income(Day from, Day to, const Rates& rates) const;

    /// Calls `function(Day, const Amounts&)` with each day and all that was ever booked of it.
    template <class Function>
    void for_each_day(const Function& function) const {
        for (const auto& [day, booked] : by_day_) {
            Amounts sum;
            for (const auto& [month, amounts] : booked) {
                sum += amounts;
            }
            function(day, sum);
        }
    }

    bool empty() const { return by_day_.empty(); }

    /// The first day with events, and the last; only if there is one.
    Day first() const { return by_day_.begin()->first; }

    Day last() const { return by_day_.rbegin()->first; }

    /// The last month in which something is booked of an earlier day; absent: nothing is.
    std::optional<Month> last_late() const {
        return late_.empty() ? std::nullopt : std::optional{late_.rbegin()->first};
    }

private:
    /// Nearly all days have one month, their own.
    using Booked = boost::container::small_flat_map<Month, Amounts, 1>;
    using ByDay = std::map<Day, Booked>;

    static Amounts up_to(const Booked& booked, Month month);
    std::set<Month> months_of_adjustments(Month from, Month to, const Rates& rates) const;
    Result<void> add_adjustments(Month month, const Rates& rates, Income& income) const;
    static Result<void> add_adjustments(
        Month month,
        const ByDay::value_type& of_day,
        const Rates& rates,
        std::span<const RateChange> changes,
        Income& income
    );

    ByDay by_day_;
    std::map<Month, std::set<Day>> late_;  ///< Earlier days that something is booked of in a month.
};

/// The month that something of `day` is booked in when it becomes known: its own, or, where that is
/// sealed, the first that is not. `sealed`: the last sealed month; absent: none is.
Month booked_month(Day day, std::optional<Month> sealed);

/// The same of a change of a rate.
Month booked_month_of_rate(std::optional<Month> sealed);

}  // namespace footfall::ads
