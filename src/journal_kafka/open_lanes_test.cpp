#include "journal_kafka/open_lanes.h"

#include <gmock/gmock.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace footfall::journal_kafka {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

TEST(OpenLanes, the_one_that_was_not_used_for_longest_makes_room) {
    std::vector<std::uint32_t> closed;
    {
        OpenLanes lanes{{.most = 2, .idle = 1h}, [&](std::uint32_t lane) {
                            closed.push_back(lane);
                        }};
        for (const std::uint32_t lane : {1U, 2U, 1U, 3U, 1U, 2U}) {
            const auto use = lanes.use(lane);
            EXPECT_LE(lanes.count(), 2U);
        }
        EXPECT_THAT(closed, ElementsAre(2, 3));
        lanes.close(1);
        lanes.close(7);
        EXPECT_THAT(closed, ElementsAre(2, 3, 1)) << "the other one was not open";
        EXPECT_EQ(lanes.count(), 1U);
        closed.clear();
    }
    EXPECT_THAT(closed, ElementsAre(2)) << "none stays open";
}

TEST(OpenLanes, those_that_nobody_uses_for_a_while_are_closed) {
    metrics::Metrics metrics;
    std::mutex mutex;
    std::vector<std::uint32_t> closed;
    std::promise<void> both;
    OpenLanes lanes{{.most = 8, .idle = 50ms, .metrics = &metrics}, [&](std::uint32_t lane) {
                        const std::scoped_lock lock{mutex};
                        closed.push_back(lane);
                        if (closed.size() == 2) {
                            both.set_value();
                        }
                    }};
    const auto used = lanes.use(5);
    static_cast<void>(lanes.use(1));
    static_cast<void>(lanes.use(2));
    EXPECT_THAT(metrics.text(), HasSubstr("footfall_log_lanes_open 3\n"));
    ASSERT_EQ(both.get_future().wait_for(30s), std::future_status::ready);
    const std::scoped_lock lock{mutex};
    EXPECT_THAT(closed, UnorderedElementsAre(1, 2)) << "but the one that is used";
    EXPECT_THAT(metrics.text(), HasSubstr("footfall_log_lanes_opened_total 3\n"));
}

/// Whoever has a lane is alone with it, whether it is used or closed, and few are open.
TEST(OpenLanes, many_threads_have_few_lanes_each_alone) {
    constexpr std::uint32_t lane_count = 7;
    constexpr std::size_t most = 3;
    std::array<std::atomic<int>, lane_count> inside{};
    std::array<std::atomic<bool>, lane_count> is_open{};
    std::atomic<int> open = 0;
    std::atomic<int> wrong = 0;
    {
        OpenLanes lanes{{.most = most, .idle = 2ms}, [&](std::uint32_t lane) {
                            wrong += inside[lane].fetch_add(1);
                            wrong += is_open[lane].exchange(false) ? 0 : 1;
                            --open;
                            --inside[lane];
                        }};
        std::vector<std::jthread> threads;
        threads.reserve(5);
        for (std::uint32_t thread = 0; thread < 5; ++thread) {
            threads.emplace_back([&, thread] {
                for (std::uint32_t at = 0; at < 2000; ++at) {
                    const std::uint32_t lane = (at * (thread + 1) + thread) % lane_count;
                    if (at % 11 == 0) {
                        lanes.close(lane);
                        continue;
                    }
                    const auto use = lanes.use(lane);
                    wrong += inside[lane].fetch_add(1);
                    if (!is_open[lane].exchange(true)) {
                        wrong += ++open > static_cast<int>(most) ? 1 : 0;
                    }
                    --inside[lane];
                }
            });
        }
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(open, 0);
}

}  // namespace
}  // namespace footfall::journal_kafka
