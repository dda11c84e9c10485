#include "runtime/turns.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <latch>
#include <optional>

namespace footfall::runtime {
namespace {

using namespace std::chrono_literals;

TEST(Turns, does_one_turn_after_the_other) {
    std::latch three{3};
    std::atomic<int> turns = 0;
    Turns thread{"turns", Urgency::work, [&](const std::stop_token&) -> Turns::Pause {
                     if (++turns <= 3) {
                         three.count_down();
                     }
                     return 1ms;
                 }};
    three.wait();
    thread.stop();
    const int done = turns.load();
    EXPECT_GE(done, 3);
    thread.stop();
    EXPECT_EQ(turns.load(), done);
}

TEST(Turns, a_pause_ends_when_it_is_to_stop) {
    std::latch once{1};
    const auto began = std::chrono::steady_clock::now();
    {
        Turns thread{"turns", Urgency::background, [&](const std::stop_token&) -> Turns::Pause {
                         once.count_down();
                         return 1h;
                     }};
        once.wait();
    }
    EXPECT_LT(std::chrono::steady_clock::now() - began, 10min);
}

TEST(Turns, a_turn_is_told_to_stop) {
    std::optional<Turns> thread;
    std::latch begun{1};
    thread.emplace("turns", Urgency::work, [&](const std::stop_token& stop) -> Turns::Pause {
        begun.count_down();
        while (!stop.stop_requested()) {
            std::this_thread::yield();
        }
        return {};
    });
    begun.wait();
    thread.reset();
}

TEST(Turns, what_failed_is_tried_again_a_little_later) {
    std::array<std::chrono::steady_clock::time_point, 2> begun;
    std::atomic<std::size_t> turns = 0;
    std::latch both{2};
    const auto once_in_vain = [&]() -> Result<void> {
        const std::size_t turn = turns++;
        if (turn < begun.size()) {
            begun.at(turn) = std::chrono::steady_clock::now();
            both.count_down();
        }
        return turn == 0 ? fail(ErrorKind::unavailable, "no") : Result<void>{};
    };
    Turns thread{"turns", Urgency::work, once_in_vain};
    both.wait();
    thread.stop();
    EXPECT_GE(begun[1] - begun[0], 200ms);
}

}  // namespace
}  // namespace footfall::runtime
