#pragma once

#include "foundation/check.h"
#include "foundation/clock.h"

#include <cctz/civil_time.h>
#include <cctz/time_zone.h>
#include <chrono>
#include <string>

// A calendar for tests that shares nothing with the ledger's: days and months since January 1970,
// straight from the library of time zones.

namespace footfall::ads::brute {

inline int month_with(int day) {
    return static_cast<int>(
        cctz::civil_month{cctz::civil_day{1970, 1, 1} + day} - cctz::civil_month{1970, 1}
    );
}

/// The first day of a month.
inline int begin_of(int month) {
    const cctz::civil_day first{cctz::civil_month{1970, 1} + month};
    return static_cast<int>(first - cctz::civil_day{1970, 1, 1});
}

/// A zone by its name.
class Zone {
public:
    explicit Zone(const std::string& name) {
        CHECK(cctz::load_time_zone(name, &zone_), "a zone that is installed");
    }

    std::string name() const { return zone_.name(); }

    int day(Instant time) const {
        return static_cast<int>(cctz::civil_day{clock(time)} - cctz::civil_day{1970, 1, 1});
    }

    /// Back, minute by minute, until the clock showed a full hour, or was changed.
    Instant begin_of_hour(Instant time) const {
        constexpr std::chrono::minutes minute{1};
        Instant at = std::chrono::floor<std::chrono::minutes>(time);
        while (clock(at).minute() != 0 && clock(at - minute) + 60 == clock(at)) {
            at -= minute;
        }
        return at;
    }

    /// When a day begins.
    Instant midnight(int day) const {
        const cctz::civil_second first{cctz::civil_day{1970, 1, 1} + day};
        return Instant{cctz::convert(first, zone_).time_since_epoch()};
    }

private:
    cctz::civil_second clock(Instant time) const { return cctz::convert(time, zone_); }

    cctz::time_zone zone_;
};

}  // namespace footfall::ads::brute
