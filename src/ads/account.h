#pragma once

#include "ads/exact.h"
#include "ads/month.h"
#include "ads/rates.h"

#include <cstdint>
#include <map>
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

/// What a later month earns of a day, or pays back.
struct Adjustment {
    Day day = 0;
    Day posted = 0;  ///< The first day of the month that it is booked in.
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

private:
    using Booked = std::map<Month, Amounts>;

    static Amounts up_to(const Booked& booked, Month month);
    Result<void> add_adjustments(Month month, const Rates& rates, Income& income) const;

    std::map<Day, Booked> by_day_;
};

/// The month that something of `day` is booked in when it becomes known: its own, or, where that is
/// sealed, the first that is not. `sealed`: the last sealed month; absent: none is.
Month booked_month(Day day, std::optional<Month> sealed);

/// The same of a change of a rate.
Month booked_month_of_rate(std::optional<Month> sealed);

}  // namespace footfall::ads
