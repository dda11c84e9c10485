#pragma once

#include "ads/month.h"
#include "foundation/clock.h"
#include "foundation/time_zone.h"

#include <chrono>

namespace footfall::ads {

inline constexpr std::chrono::minutes quarter_hour{15};

/// The zone whose days and months are those of the ledger. Thread-safe; a question costs as
/// TimeZone says.
class LedgerZone {
public:
    LedgerZone() = default;  ///< UTC.

    explicit LedgerZone(TimeZone zone) : zone_{zone} {}

    const TimeZone& zone() const { return zone_; }

    Day day_of(Instant time) const { return static_cast<Day>(zone_.day_of(time)); }

    /// How many quarter-hours after the day began: 0 to 95, to 99 on a day of 25 hours.
    unsigned quarter_of(Instant time, Day day) const {
        return static_cast<unsigned>((time - zone_.start_of(day)) / quarter_hour);
    }

    /// When that quarter-hour began.
    Instant begin_of(Day day, unsigned quarter) const {
        return zone_.start_of(day) + quarter * quarter_hour;
    }

private:
    TimeZone zone_;
};

}  // namespace footfall::ads
