#include "api/batch_pace.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace footfall::api {
namespace {

using namespace std::chrono_literals;

TEST(BatchPace, pauses_the_longer_the_nearer_the_store_is_to_its_brake) {
    BatchPace pace;
    EXPECT_EQ(pace.due(0), 0us);
    EXPECT_EQ(pace.due(0.8), 0us);
    EXPECT_NEAR(static_cast<double>(pace.due(0.9).count()), 10'000, 1);
    EXPECT_EQ(pace.due(1), BatchPace::longest_pause);
    EXPECT_EQ(pace.due(7), BatchPace::longest_pause);
    EXPECT_EQ(pace.due(0.8001), 0us) << "not worth two switches";
}

TEST(BatchPace, pauses_as_long_as_it_had_no_core) {
    BatchPace pace;
    std::mutex alone;
    std::condition_variable never;
    std::unique_lock lock{alone};
    pace.go_on();
    // To the clock of the thread a wait for a core and any other are alike.
    never.wait_for(lock, 3ms, [] { return false; });
    pace.stop();
    EXPECT_GE(pace.due(0), 2900us);
    EXPECT_EQ(pace.due(0), 0us) << "once";
}

TEST(BatchPace, ends_a_pause_when_asked) {
    std::stop_source stopping;
    stopping.request_stop();
    const auto before = std::chrono::steady_clock::now();
    for (int pause = 0; pause < 1000; ++pause) {
        BatchPace{}.pause(1, stopping.get_token());
    }
    EXPECT_LT(std::chrono::steady_clock::now() - before, 1000 * BatchPace::longest_pause / 2);
}

}  // namespace
}  // namespace footfall::api
