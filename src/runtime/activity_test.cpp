#include "runtime/activity.h"

#include <gtest/gtest.h>

namespace footfall::runtime {
namespace {

struct Puts {
    std::int64_t second = 0;
    std::uint64_t put = 0;
    std::uint64_t added = 0;

    bool empty() const { return put == 0; }

    Puts& operator+=(const Puts& other) {
        put += other.put;
        added += other.added;
        return *this;
    }
};

TEST(Activity, adds_up_what_several_lanes_saw_of_a_second) {
    Activity<Puts> activity;
    activity.add({.second = 12, .put = 3, .added = 1}, 13);
    activity.add({.second = 10, .put = 1, .added = 1}, 13);
    activity.add({.second = 12, .put = 2, .added = 2}, 13);
    activity.add({.second = 11, .put = 0, .added = 0}, 13);
    const auto seconds = activity.between(0, 100);
    ASSERT_EQ(seconds.size(), 2U);
    EXPECT_EQ(seconds[0].second, 10);
    EXPECT_EQ(seconds[1].second, 12);
    EXPECT_EQ(seconds[1].put, 5U);
    EXPECT_EQ(seconds[1].added, 3U);
}

TEST(Activity, answers_from_the_first_second_up_to_but_not_the_last) {
    Activity<Puts> activity;
    for (std::int64_t second = 10; second < 20; ++second) {
        activity.add({.second = second, .put = 1, .added = 0}, second);
    }
    EXPECT_EQ(activity.between(12, 15).size(), 3U);
    EXPECT_EQ(activity.between(15, 12).size(), 0U);
    EXPECT_EQ(activity.between(12, 12).size(), 0U);
}

TEST(Activity, keeps_an_hour) {
    Activity<Puts> activity;
    for (std::int64_t second = 0; second < 10'000; ++second) {
        activity.add({.second = second, .put = 1, .added = 0}, second);
    }
    EXPECT_EQ(activity.between(0, 10'000).size(), Activity<Puts>::kept_seconds);
    activity.add({.second = 5, .put = 1, .added = 0}, 10'000);
    EXPECT_EQ(activity.between(0, 10'000).front().second, 6400);
}

TEST(Activity, seconds_of_a_clock_that_was_ahead_go_when_it_is_right_again) {
    constexpr std::int64_t day = 86'400;
    Activity<Puts> activity;
    activity.add({.second = day, .put = 1, .added = 0}, day);
    activity.add({.second = 10, .put = 1, .added = 0}, 10);
    activity.add({.second = 11, .put = 1, .added = 0}, 11);
    EXPECT_EQ(activity.between(0, 2 * day).size(), 2U);
    activity.add({.second = day, .put = 1, .added = 0}, 12);  // handed on late
    EXPECT_EQ(activity.between(0, 2 * day).size(), 2U);
    activity.add({.second = 15, .put = 1, .added = 0}, 12);  // clocks differ a little
    EXPECT_EQ(activity.between(0, 2 * day).size(), 3U);
}

}  // namespace
}  // namespace footfall::runtime
