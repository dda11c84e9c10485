#include "rankings/windows.h"

#include "rankings/test_trends.h"

#include <gtest/gtest.h>

namespace footfall::rankings {
namespace {

TEST(Windows, are_known_by_their_names) {
    for (const Window& each : windows) {
        const auto parsed = parse_window(each.name);
        ASSERT_TRUE(parsed) << each.name;
        EXPECT_EQ(parsed->length, each.length);
    }
    EXPECT_EQ(parse_window("24h")->length, 24h);
    EXPECT_EQ(parse_window("30d")->length, std::chrono::days{30});
}

TEST(Windows, that_are_unknown_are_answered_with_those_there_are) {
    for (const std::string_view name : {"", "2h", "1H", "1h ", "1d"}) {
        const auto parsed = parse_window(name);
        ASSERT_FALSE(parsed) << name;
        EXPECT_EQ(parsed.error().kind, ErrorKind::invalid_input);
        EXPECT_EQ(
            parsed.error().message,
            "no window '" + std::string{name} + "': there are 1h, 6h, 24h, 7d, 30d"
        );
    }
}

TEST(Windows, begin_with_the_quarter_hour_in_which_they_would_begin) {
    const Instant day{std::chrono::days{20'000}};
    EXPECT_EQ(begin_of(*parse_window("1h"), noon + 7min + 3s), day + 11h);
    EXPECT_EQ(begin_of(*parse_window("1h"), day + 12h), day + 11h) << "on the quarter-hour";
    EXPECT_EQ(begin_of(*parse_window("1h"), day + 12h - 1us), day + 10h + 45min);
    EXPECT_EQ(begin_of(*parse_window("7d"), noon + 7min + 3s), day - std::chrono::days{7} + 12h);
    EXPECT_EQ(begin_of(*parse_window("1h"), Instant{50min}), Instant{-15min}) << "before 1970";
}

TEST(Windows, touch_the_days_from_their_beginning_to_now) {
    EXPECT_EQ(
        days_of(*parse_window("1h"), noon + 7min + 3s), (Days{.first = 20'000, .last = 20'000})
    );
    EXPECT_EQ(days_of(*parse_window("24h"), noon), (Days{.first = 19'999, .last = 20'000}));
    EXPECT_EQ(days_of(*parse_window("30d"), noon).count(), 31U);
    const Instant midnight{std::chrono::days{20'000}};
    EXPECT_EQ(days_of(*parse_window("24h"), midnight), (Days{.first = 19'999, .last = 20'000}));
    EXPECT_EQ(days_of(*parse_window("1h"), midnight + 59min).first, 19'999);
    EXPECT_EQ(days_of(*parse_window("1h"), midnight + 60min).first, 20'000);
}

}  // namespace
}  // namespace footfall::rankings
