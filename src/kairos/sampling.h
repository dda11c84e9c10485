#pragma once

#include "foundation/time_zone.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace footfall::kairos {

/// Times are in milliseconds since 1970-01-01 UTC.
using Time = std::int64_t;

/// The end of the year 9999: later ones are nobody's.
inline constexpr Time time_max = 253'402'300'799'999;

enum class Unit : std::uint8_t {
    milliseconds,
    seconds,
    minutes,
    hours,
    days,
    weeks,
    months,
    years
};

/// How they are called, in their order.
inline constexpr std::array<std::string_view, 8> unit_names{
    "milliseconds", "seconds", "minutes", "hours", "days", "weeks", "months", "years"
};

inline std::string_view name_of(Unit unit) {
    return unit_names[static_cast<std::size_t>(unit)];
}

/// A span of time. From days on it is one of the calendar: as long as its days, months, years are.
struct Sampling {
    std::int64_t value = 1;  ///< Above 0.
    Unit unit = Unit::milliseconds;
};

/// Whether it is not longer than 100 years, so that nothing overflows.
bool is_bounded(const Sampling& sampling);

/// `time` and `count` spans later, or earlier: at the same time of day of the zone where the unit
/// is a day or more, and on the last day of a month that has no such day. `sampling` is bounded.
Time moved(Time time, const Sampling& sampling, std::int64_t count, const TimeZone& zone);

/// How many whole spans there are from `start` to `time`; negative if it is before.
std::int64_t spans_between(Time start, Time time, const Sampling& sampling, const TimeZone& zone);

/// Where spans of this unit begin that are to lie alike whatever is asked for: the year, the month,
/// Monday, else the day in which `time` lies; the second for milliseconds.
Time aligned(Time time, Unit unit, const TimeZone& zone);

}  // namespace footfall::kairos
