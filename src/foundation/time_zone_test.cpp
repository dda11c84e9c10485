#include "foundation/time_zone.h"

#include <gtest/gtest.h>

#include <chrono>

namespace footfall {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::sys_days;
using std::chrono::year_month_day;

std::int64_t day_number(int year, unsigned month, unsigned day) {
    const year_month_day date{
        std::chrono::year{year}, std::chrono::month{month}, std::chrono::day{day}
    };
    return sys_days{date}.time_since_epoch().count();
}

Instant midnight_utc(int year, unsigned month, unsigned day) {
    return Instant{std::chrono::days{day_number(year, month, day)}};
}

TEST(TimeZone, knows_the_day_of_a_moment) {
    const TimeZone berlin = *TimeZone::find("Europe/Berlin");
    const Instant summer = midnight_utc(2026, 7, 1) + hours{22};
    EXPECT_EQ(TimeZone{}.day_of(summer), day_number(2026, 7, 1));
    EXPECT_EQ(berlin.day_of(summer), day_number(2026, 7, 2));
    EXPECT_EQ(berlin.day_of(summer - std::chrono::microseconds{1}), day_number(2026, 7, 1));
    EXPECT_EQ(berlin.day_of(midnight_utc(1969, 12, 31) + hours{23}), day_number(1970, 1, 1));
    EXPECT_EQ(berlin.day_of(midnight_utc(2060, 7, 1) + hours{22}), day_number(2060, 7, 2))
        << "also after the last change that the database lists";
}

TEST(TimeZone, days_have_the_hours_that_clocks_give_them) {
    const TimeZone berlin = *TimeZone::find("Europe/Berlin");
    const auto length = [](const TimeZone& zone, std::int64_t day) {
        EXPECT_EQ(zone.day_of(zone.start_of(day)), day);
        return zone.end_of(day) - zone.start_of(day);
    };
    EXPECT_EQ(length(berlin, day_number(2026, 3, 28)), hours{24});
    EXPECT_EQ(length(berlin, day_number(2026, 3, 29)), hours{23});
    EXPECT_EQ(length(berlin, day_number(2026, 10, 25)), hours{25});
    EXPECT_EQ(length(TimeZone{}, day_number(2026, 10, 25)), hours{24});
    EXPECT_EQ(
        TimeZone::find("Asia/Kolkata")->start_of(day_number(2026, 1, 2)),
        midnight_utc(2026, 1, 1) + hours{18} + minutes{30}
    );
}

TEST(TimeZone, a_day_may_be_missing_start_late_or_begin_twice) {
    const TimeZone apia = *TimeZone::find("Pacific/Apia");
    const std::int64_t missing = day_number(2011, 12, 30);
    EXPECT_EQ(apia.start_of(missing), apia.end_of(missing));
    EXPECT_EQ(apia.end_of(missing - 1), apia.start_of(missing + 1));
    const TimeZone cairo = *TimeZone::find("Africa/Cairo");
    const std::int64_t late = day_number(2024, 4, 26);  // 00:00 became 01:00
    EXPECT_EQ(cairo.end_of(late) - cairo.start_of(late), hours{23});
    EXPECT_EQ(cairo.day_of(cairo.start_of(late)), late);
    const TimeZone st_johns = *TimeZone::find("America/St_Johns");
    const std::int64_t twice = day_number(2010, 11, 7);  // 00:01 became 23:01 of the day before
    EXPECT_EQ(st_johns.end_of(twice - 1) - st_johns.start_of(twice), hours{1});
}

TEST(TimeZone, knows_the_hour_of_a_moment) {
    const Instant noon = midnight_utc(2026, 7, 1) + hours{12};
    const TimeZone kolkata = *TimeZone::find("Asia/Kolkata");
    EXPECT_EQ(TimeZone{}.hour_of(noon + minutes{59}), noon);
    EXPECT_EQ(TimeZone{}.offset_at(noon), hours{0});
    EXPECT_EQ(kolkata.hour_of(noon + minutes{29}), noon - minutes{30});
    EXPECT_EQ(kolkata.hour_of(noon + minutes{30}), noon + minutes{30});
    EXPECT_EQ(kolkata.offset_at(noon), hours{5} + minutes{30});
    const Instant before_1970 = midnight_utc(1969, 12, 31) + hours{23};
    EXPECT_EQ(TimeZone{}.hour_of(before_1970 + minutes{1}), before_1970);
    EXPECT_EQ(TimeZone::find("America/New_York")->offset_at(noon), -hours{4});
}

TEST(TimeZone, an_hour_comes_twice_is_missing_or_is_cut_where_clocks_change) {
    const TimeZone berlin = *TimeZone::find("Europe/Berlin");
    const Instant back = midnight_utc(2026, 10, 25) + hours{1};  // 03:00 became 02:00
    EXPECT_EQ(berlin.hour_of(back - minutes{1}), back - hours{1});
    EXPECT_EQ(berlin.hour_of(back + minutes{59}), back);
    EXPECT_EQ(berlin.offset_at(back - minutes{1}) - berlin.offset_at(back), hours{1});
    const Instant on = midnight_utc(2026, 3, 29) + hours{1};  // 02:00 became 03:00
    EXPECT_EQ(berlin.hour_of(on - minutes{1}), on - hours{1});
    EXPECT_EQ(berlin.hour_of(on), on);
    const TimeZone lord_howe = *TimeZone::find("Australia/Lord_Howe");
    const Instant half_back = midnight_utc(2026, 4, 4) + hours{15};  // 02:00 became 01:30
    EXPECT_EQ(lord_howe.hour_of(half_back - minutes{1}), half_back - hours{1});
    EXPECT_EQ(lord_howe.hour_of(half_back), half_back);
    EXPECT_EQ(lord_howe.hour_of(half_back + minutes{29}), half_back);
    EXPECT_EQ(lord_howe.hour_of(half_back + minutes{31}), half_back + minutes{30});
    const Instant half_on = midnight_utc(2026, 10, 3) + hours{15} + minutes{30};  // 02:00, 02:30
    EXPECT_EQ(lord_howe.hour_of(half_on + minutes{29}), half_on);
    EXPECT_EQ(lord_howe.hour_of(half_on + minutes{30}), half_on + minutes{30});
}

TEST(TimeZone, what_is_no_name_of_a_zone_is_refused) {
    for (const std::string_view name :
         {"",
          "Europe",
          "Europe/Nowhere",
          "europe/berlin",
          "../../etc/passwd",
          "/usr/share/zoneinfo/Europe/Berlin",
          "Europe/../Europe/Berlin",
          "file:/etc/localtime",
          "libc:localtime",
          "Fixed/UTC+01:00:00",
          "tzdata.zi"}) {
        const Result<TimeZone> found = TimeZone::find(name);
        ASSERT_FALSE(found) << name;
        EXPECT_EQ(found.error().kind, ErrorKind::invalid_input);
    }
    EXPECT_FALSE(TimeZone::find(std::string(1000, 'A')));
}

TEST(TimeZone, utc_has_many_names) {
    EXPECT_TRUE(TimeZone::find("UTC")->is_utc());
    EXPECT_TRUE(TimeZone::find("Etc/UTC")->is_utc());
    EXPECT_FALSE(TimeZone::find("Europe/London")->is_utc());
    EXPECT_EQ(TimeZone::find("Europe/London")->name(), "Europe/London");
}

}  // namespace
}  // namespace footfall
