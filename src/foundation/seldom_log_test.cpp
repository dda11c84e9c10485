#include "foundation/seldom_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace footfall {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Optional;

TEST(SeldomLog, has_a_turn_at_once_and_then_one_in_each_pause) {
    SeldomLog seldom{60s};
    EXPECT_THAT(seldom.turn(1000s), Optional(0U));
    for (int time = 0; time < 59; ++time) {
        EXPECT_FALSE(seldom.turn(1001s + time * 1s));
    }
    EXPECT_THAT(seldom.turn(1060s), Optional(59U));
    EXPECT_FALSE(seldom.turn(1060s));
    EXPECT_THAT(seldom.turn(1120s), Optional(1U));
}

TEST(SeldomLog, is_not_silent_until_a_clock_that_was_set_back_has_caught_up) {
    SeldomLog seldom{60s};
    EXPECT_THAT(seldom.turn(5000s), Optional(0U));
    EXPECT_THAT(seldom.turn(1000s), Optional(0U));
    EXPECT_FALSE(seldom.turn(1001s));
}

TEST(SeldomLog, writes_one_line_of_many) {
    SeldomLog seldom{std::chrono::hours{1}};
    testing::internal::CaptureStderr();
    EXPECT_FALSE(seldom.just_said());
    EXPECT_TRUE(seldom.say(LogLevel::warning, "the disk is full"));
    EXPECT_TRUE(seldom.just_said());
    for (int time = 0; time < 100; ++time) {
        EXPECT_FALSE(seldom.say(LogLevel::warning, "the disk is full"));
    }
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_THAT(text, HasSubstr("warning the disk is full\n"));
    EXPECT_EQ(std::ranges::count(text, '\n'), 1) << text;
}

TEST(SeldomLog, says_how_many_were_left_out) {
    EXPECT_EQ(more_like_it(0), "");
    EXPECT_EQ(more_like_it(7), " (7 more like it were left out)");
}

}  // namespace
}  // namespace footfall
