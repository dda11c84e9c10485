#include "foundation/clock_watch.h"

#include "foundation/log.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace footfall {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

constexpr Instant start{hours{480'000}};

TEST(ClockWatch, says_once_what_a_clock_said_that_was_ahead) {
    ClockWatch watch;
    EXPECT_FALSE(watch.set_back(start));
    EXPECT_FALSE(watch.set_back(start + hours{24}));
    EXPECT_EQ(watch.set_back(start + seconds{2}), start + hours{24});
    EXPECT_FALSE(watch.set_back(start + seconds{2}));
    EXPECT_FALSE(watch.set_back(start + seconds{3}));
    EXPECT_FALSE(watch.set_back(start + hours{1}));
    EXPECT_EQ(watch.set_back(start), start + hours{1});
}

TEST(ClockWatch, does_not_mind_what_clocks_do_every_day) {
    ClockWatch watch;
    for (int second = 0; second < 100; ++second) {
        EXPECT_FALSE(watch.set_back(start + seconds{second}));
        EXPECT_FALSE(watch.set_back(start + seconds{second} - clock_slack));
    }
}

TEST(ClockWatch, one_of_all_threads_is_told) {
    ClockWatch watch;
    EXPECT_FALSE(watch.set_back(start + hours{24}));
    std::atomic<int> told = 0;
    std::vector<std::jthread> threads;
    threads.reserve(4);
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&] { told += watch.set_back(start) ? 1 : 0; });
    }
    threads.clear();
    EXPECT_EQ(told.load(), 1);
}

TEST(WatchedClock, counts_how_often_it_was_set_back) {
    set_log_level(LogLevel::error);
    ManualClock clock{start};
    const WatchedClock watched{clock};
    EXPECT_EQ(watched.now(), start);
    clock.advance(hours{24});
    EXPECT_EQ(watched.now(), start + hours{24});
    EXPECT_EQ(watched.set_back(), 0U);
    clock.set(start);
    EXPECT_EQ(watched.now(), start);
    EXPECT_EQ(watched.now(), start);
    EXPECT_EQ(watched.set_back(), 1U);
}

}  // namespace
}  // namespace footfall
