#pragma once

#include "ads/exact.h"
#include "ads/month.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace footfall::ads {

/// What was said of one party's rate: it has this share from this day on, or that day was
/// withdrawn.
struct RateChange {
    Day effective = 0;
    std::optional<Millionths> share;  ///< Absent: as if no rate had been given for that day.
    Month booked = from_the_beginning;
    std::uint64_t recorded = 0;  ///< Rises from change to change of a party.
    Day known = 0;               ///< The ledger day on which it was recorded.
};

/// All that was ever said of the rate of one party. A plain value; not thread-safe.
class Rates {
public:
    /// In the order in which they were recorded.
    void add(const RateChange& change);

    /// The share on `day` by what was booked up to `month`: that of the latest day up to `day` for
    /// which the last that was said is a share; 0 before the first. O(changes back from `day`).
    Millionths share(Day day, Month month) const;

    /// The same by the changes recorded up to `recorded` as well.
    Millionths share(Day day, Month month, std::uint64_t recorded) const;

    /// Those booked in `month`, in their order.
    std::vector<RateChange> booked_in(Month month) const;

    /// All, in their order.
    std::vector<RateChange> in_order() const;

    bool empty() const { return by_day_.empty(); }

private:
    std::map<Day, std::vector<RateChange>> by_day_;  ///< Of each day in the order recorded.
};

}  // namespace footfall::ads
