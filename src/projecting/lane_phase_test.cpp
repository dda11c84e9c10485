#include "projecting/lane_phase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace footfall::projecting {
namespace {

using namespace std::chrono_literals;

constexpr Instant start{std::chrono::hours{480'000}};

TEST(LanePhase, each_lane_is_due_once_an_interval_and_few_at_a_time) {
    std::array<Instant, runtime::lane_count> since{};
    since.fill(start);
    std::array<int, runtime::lane_count> turns{};
    int most = 0;
    for (Instant now = start; now <= start + 10min; now += 1s) {
        int due = 0;
        for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
            if (is_due(lane, since[lane], now, 60s)) {
                EXPECT_LE(now - since[lane], 60s);
                since[lane] = now;
                ++turns[lane];
                ++due;
            }
        }
        most = std::max(most, due);
    }
    EXPECT_LE(most, 2);
    EXPECT_GE(std::ranges::min(turns), 9);
    EXPECT_LE(std::ranges::max(turns), 10);
}

TEST(LanePhase, what_changed_later_than_now_is_due) {
    EXPECT_TRUE(is_due(7, start + 1s, start, 60s));
    EXPECT_FALSE(is_due(7, start, start, 60s));
    EXPECT_TRUE(is_due(7, start, start, 0s));
}

}  // namespace
}  // namespace footfall::projecting
