#include "kairos/sampling.h"

#include "kairos/test_points.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string_view>

namespace footfall::kairos {
namespace {

TimeZone zone(std::string_view name) {
    return *TimeZone::find(name);
}

TEST(Sampling, moves_by_the_calendar_of_the_zone) {
    const TimeZone utc;
    const TimeZone berlin = zone("Europe/Berlin");
    EXPECT_EQ(moved(1000, {3, Unit::minutes}, 2, utc), 361'000);
    EXPECT_EQ(moved(1000, {3, Unit::minutes}, -1, utc), -179'000);
    EXPECT_EQ(moved(date(2026, 1, 31), {1, Unit::months}, 1, utc), date(2026, 2, 28));
    EXPECT_EQ(moved(date(2028, 2, 29), {1, Unit::years}, 1, utc), date(2029, 2, 28));
    EXPECT_EQ(moved(date(2026, 3, 31), {1, Unit::months}, -1, utc), date(2026, 2, 28));
    EXPECT_EQ(moved(date(2026, 1, 1), {2, Unit::weeks}, 1, utc), date(2026, 1, 15));
    // A day of 23 hours, and one of 25, at the same time of day.
    const Time before = date(2026, 3, 28, 11 * hour + 7);
    EXPECT_EQ(moved(before, {1, Unit::days}, 1, berlin), before + 23 * hour);
    EXPECT_EQ(moved(before, {24, Unit::hours}, 1, berlin), before + day);
    // At 02:30, which is not that night, and which is twice.
    EXPECT_EQ(
        moved(date(2026, 3, 28, 90 * hour / 60), {1, Unit::days}, 1, berlin),
        date(2026, 3, 29, 90 * hour / 60)
    );
    EXPECT_EQ(
        moved(date(2026, 10, 24, 30 * hour / 60), {1, Unit::days}, 1, berlin),
        date(2026, 10, 25, 30 * hour / 60)
    );
    const Time autumn = date(2026, 10, 24, 11 * hour);
    EXPECT_EQ(moved(autumn, {1, Unit::days}, 1, berlin), autumn + 25 * hour);
}

TEST(Sampling, counts_whole_spans) {
    const TimeZone utc;
    const Time start = date(2026, 1, 31, 5 * hour);
    const Sampling month{1, Unit::months};
    EXPECT_EQ(spans_between(start, start, month, utc), 0);
    EXPECT_EQ(spans_between(start, date(2026, 2, 28, 5 * hour) - 1, month, utc), 0);
    EXPECT_EQ(spans_between(start, date(2026, 2, 28, 5 * hour), month, utc), 1);
    EXPECT_EQ(spans_between(start, start - 1, month, utc), -1);
    EXPECT_EQ(spans_between(1000, 999, {10, Unit::seconds}, utc), -1);
}

/// Whatever the span, a time lies in the span that it is said to lie in.
TEST(Sampling, every_time_lies_in_its_span) {
    for (const std::string_view name : {"UTC", "Europe/Berlin", "Asia/Kabul", "Pacific/Apia"}) {
        for (int unit = 0; unit < 8; ++unit) {
            const Sampling sampling{unit == 0 ? 7'777'777 : 5, static_cast<Unit>(unit)};
            const Time start = date(2011, 11, 29, 7 * hour + 123);
            for (Time time = start - 40 * day; time < start + 500 * day; time += 17 * hour + 1) {
                const std::int64_t at = spans_between(start, time, sampling, zone(name));
                ASSERT_LE(moved(start, sampling, at, zone(name)), time) << name << unit;
                ASSERT_GT(moved(start, sampling, at + 1, zone(name)), time) << name << unit;
            }
        }
    }
}

TEST(Sampling, aligns_where_units_begin) {
    const TimeZone berlin = zone("Europe/Berlin");
    const Time time = date(2026, 7, 1, 22 * hour + 1234);  // 2 July, 00:00:01 there
    EXPECT_EQ(aligned(time, Unit::milliseconds, berlin), time - 234);
    for (const Unit unit : {Unit::seconds, Unit::minutes, Unit::hours, Unit::days}) {
        EXPECT_EQ(aligned(time, unit, berlin), date(2026, 7, 1, 22 * hour));
    }
    EXPECT_EQ(aligned(time, Unit::weeks, berlin), date(2026, 6, 28, 22 * hour));
    EXPECT_EQ(aligned(time, Unit::months, berlin), date(2026, 6, 30, 22 * hour));
    EXPECT_EQ(aligned(time, Unit::years, berlin), date(2025, 12, 31, 23 * hour));
    EXPECT_EQ(aligned(time, Unit::days, TimeZone{}), date(2026, 7, 1));
    EXPECT_EQ(aligned(date(2026, 11, 30, hour), Unit::weeks, TimeZone{}), date(2026, 11, 30));
    EXPECT_EQ(aligned(date(2026, 11, 29, hour), Unit::weeks, TimeZone{}), date(2026, 11, 23));
}

TEST(Sampling, is_at_most_a_hundred_years) {
    EXPECT_TRUE(is_bounded({100, Unit::years}));
    EXPECT_FALSE(is_bounded({101, Unit::years}));
    EXPECT_TRUE(is_bounded({86'400'000, Unit::milliseconds}));
    EXPECT_FALSE(is_bounded({time_max, Unit::milliseconds}));
    EXPECT_FALSE(is_bounded({0, Unit::days}));
}

}  // namespace
}  // namespace footfall::kairos
