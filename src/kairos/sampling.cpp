#include "kairos/sampling.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

namespace footfall::kairos {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::months;
using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr std::int64_t day_ms = 86'400'000;
constexpr std::int64_t days_max = 36'525;

/// So many of each unit are 100 years.
constexpr std::array<std::int64_t, unit_names.size()> hundred_years{
    days_max * day_ms,
    days_max* day_ms / 1000,
    days_max * 1440,
    days_max * 24,
    days_max,
    days_max / 7,
    1200,
    100
};

std::int64_t floor_divided(std::int64_t number, std::int64_t by) {
    return number / by - (number % by < 0 ? 1 : 0);
}

Instant instant_of(Time time) {
    return Instant{milliseconds{time}};
}

std::int64_t offset_at(Time time, const TimeZone& zone) {
    return milliseconds{zone.offset_at(instant_of(time))}.count();
}

/// What the clock of the zone shows then, as if that were UTC.
std::int64_t shown(Time time, const TimeZone& zone) {
    return time + offset_at(time, zone);
}

/// The moment at which it shows that: the first, where it was put back and shows that twice; where
/// it was put on and never does, as long after that as it should have shown it.
Time when_shown(std::int64_t shown, const TimeZone& zone) {
    const std::int64_t offset_before = offset_at(shown - day_ms, zone);
    const Time before = shown - offset_before;
    if (offset_at(before, zone) == offset_before) {
        return before;
    }
    const std::int64_t offset_after = offset_at(shown + day_ms, zone);
    const Time after = shown - offset_after;
    return offset_at(after, zone) == offset_after ? after : before;
}

year_month_day date_of(std::int64_t shown) {
    return year_month_day{sys_days{days{floor_divided(shown, day_ms)}}};
}

/// Of units that are always as long; 0: it is one of the calendar.
std::int64_t length_of(Unit unit) {
    switch (unit) {
        case Unit::milliseconds:
            return 1;
        case Unit::seconds:
            return 1000;
        case Unit::minutes:
            return 60'000;
        case Unit::hours:
            return 3'600'000;
        case Unit::days:
        case Unit::weeks:
        case Unit::months:
        case Unit::years:
            return 0;
    }
    return 0;
}

/// As far as a day goes; the other two are months.
std::int64_t days_of(Unit unit) {
    return unit == Unit::days ? 1 : unit == Unit::weeks ? 7 : 0;
}

std::int64_t add_months(std::int64_t shown, std::int64_t count) {
    const year_month_day date = date_of(shown);
    const std::int64_t time_of_day = shown - floor_divided(shown, day_ms) * day_ms;
    const auto month = date.year() / date.month() + months{count};
    const auto last = (month / std::chrono::last).day();
    const sys_days day{month / std::min(date.day(), last)};
    return day.time_since_epoch().count() * day_ms + time_of_day;
}

std::int64_t month_number(std::int64_t shown) {
    const year_month_day date = date_of(shown);
    return std::int64_t{int{date.year()}} * 12 + unsigned{date.month()};
}

}  // namespace

bool is_bounded(const Sampling& sampling) {
    return sampling.value > 0 &&
           sampling.value <= hundred_years[static_cast<std::size_t>(sampling.unit)];
}

Time moved(Time time, const Sampling& sampling, std::int64_t count, const TimeZone& zone) {
    const std::int64_t number = sampling.value * count;
    if (const std::int64_t length = length_of(sampling.unit); length > 0) {
        return time + number * length;
    }
    if (count == 0) {
        return time;  // Also where the clock shows that twice.
    }
    const std::int64_t there = shown(time, zone);
    if (const std::int64_t each = days_of(sampling.unit); each > 0) {
        return when_shown(there + number * each * day_ms, zone);
    }
    const std::int64_t months_each = sampling.unit == Unit::years ? 12 : 1;
    return when_shown(add_months(there, number * months_each), zone);
}

std::int64_t spans_between(Time start, Time time, const Sampling& sampling, const TimeZone& zone) {
    if (const std::int64_t length = length_of(sampling.unit); length > 0) {
        return floor_divided(time - start, length * sampling.value);
    }
    const std::int64_t from = shown(start, zone);
    const std::int64_t until = shown(time, zone);
    const std::int64_t each = days_of(sampling.unit);
    std::int64_t count = each > 0 ? floor_divided(until - from, each * day_ms * sampling.value)
                                  : floor_divided(
                                        month_number(until) - month_number(from),
                                        sampling.value * (sampling.unit == Unit::years ? 12 : 1)
                                    );
    // By a span at most: the day of the month, or an hour that the clock was put on or back.
    while (moved(start, sampling, count, zone) > time) {
        --count;
    }
    while (moved(start, sampling, count + 1, zone) <= time) {
        ++count;
    }
    return count;
}

Time aligned(Time time, Unit unit, const TimeZone& zone) {
    if (unit == Unit::milliseconds) {
        return floor_divided(time, 1000) * 1000;
    }
    const std::int64_t there = shown(time, zone);
    sys_days day{days{floor_divided(there, day_ms)}};
    const year_month_day date{day};
    if (unit == Unit::weeks) {
        day -= std::chrono::weekday{day} - std::chrono::Monday;
    } else if (unit == Unit::months) {
        day = sys_days{date.year() / date.month() / 1};
    } else if (unit == Unit::years) {
        day = sys_days{date.year() / 1 / 1};
    }
    return when_shown(day.time_since_epoch().count() * day_ms, zone);
}

}  // namespace footfall::kairos
