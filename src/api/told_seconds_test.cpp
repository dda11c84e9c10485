#include "api/told_seconds.h"

#include <gtest/gtest.h>

#include <tuple>

namespace footfall::api {
namespace {

constexpr std::int64_t kept = 3600;

std::tuple<std::int64_t, std::int64_t, bool> next(ToldSeconds& told, std::int64_t now) {
    const ToldSeconds::Seconds seconds = told.next(now, kept);
    return {seconds.from, seconds.before, seconds.anew};
}

TEST(ToldSeconds, are_told_once_and_no_more_than_are_kept) {
    ToldSeconds told{10'000};
    EXPECT_EQ(next(told, 10'001), std::tuple(10'000, 10'001, false));
    EXPECT_EQ(next(told, 10'001), std::tuple(10'001, 10'001, false));
    EXPECT_EQ(next(told, 10'004), std::tuple(10'001, 10'004, false));
    EXPECT_EQ(next(told, 20'000), std::tuple(16'400, 20'000, false));
}

TEST(ToldSeconds, wait_for_a_clock_that_was_set_back_a_little) {
    ToldSeconds told{10'000};
    EXPECT_EQ(next(told, 9'996), std::tuple(10'000, 10'000, false));
    EXPECT_EQ(next(told, 10'001), std::tuple(10'000, 10'001, false));
}

TEST(ToldSeconds, begin_anew_after_a_clock_that_was_ahead) {
    ToldSeconds told{10'000};
    std::ignore = next(told, 96'400);
    EXPECT_EQ(next(told, 10'002), std::tuple(6'402, 10'002, true));
    EXPECT_EQ(next(told, 10'003), std::tuple(10'002, 10'003, false));
}

}  // namespace
}  // namespace footfall::api
