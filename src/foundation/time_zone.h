#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"

#include <cctz/time_zone.h>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace footfall {

/// A zone of the IANA time zone database, as the operating system has it installed: on which day,
/// and in which hour, a moment falls there. Days are counted since 1970-01-01. A plain value of a
/// pointer; thread-safe. Cost: about 50 ns a question.
class TimeZone {
public:
    TimeZone() = default;  ///< UTC.

    /// "Europe/Berlin". `invalid_input` when there is no such zone: names come from outside.
    /// Opens a file the first time.
    static Result<TimeZone> find(std::string_view name);

    std::string name() const { return zone_.name(); }

    /// Every day there is one of UTC, by this name or another.
    bool is_utc() const { return utc_; }

    std::int64_t day_of(Instant time) const;

    /// The first moment of a day, and the first after its last. Usually the next day starts there;
    /// where clocks are put back past midnight it has started before. Equal when there is no such
    /// day.
    Instant start_of(std::int64_t day) const;
    Instant end_of(std::int64_t day) const;

    /// The first moment of the hour in which `time` lies: when the clock of the zone showed a full
    /// hour, or, where the clock was put on or back since then, when that happened.
    Instant hour_of(Instant time) const;

    /// By how much the clock of the zone is ahead of UTC; negative where it is behind.
    std::chrono::seconds offset_at(Instant time) const;

private:
    explicit TimeZone(cctz::time_zone zone, bool utc) : zone_{zone}, utc_{utc} {}

    cctz::time_zone zone_ = cctz::utc_time_zone();
    bool utc_ = true;
};

}  // namespace footfall
