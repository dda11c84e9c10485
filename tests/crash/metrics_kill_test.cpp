// kill -9 again and again of a server that takes points of metrics. A point that was answered is
// there, with its value, whatever came afterwards; one that was not is sent again, as clients do,
// and there is once.
//
//   FOOTFALL_SEED=7 FOOTFALL_KILLS=100 build/release/tests/crash/crash_test
//   --gtest_filter='Metrics*'

#include "foundation_testing/temporary_directory.h"
#include "test_support/chance.h"
#include "test_support/footfall_process.h"
#include "test_support/point_load.h"
#include "test_support/random_seed.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace footfall::crash {
namespace {

using namespace std::chrono_literals;
using namespace test_support;
using http_server::Client;

class MetricsKill : public testing::Test {
protected:
    void check(const FootfallProcess& server) const {
        Client client = server.client();
        for (const PointLoad& load : loads_) {
            ASSERT_EQ(load.difference(client), "");
        }
    }

    void kill_under_load(bool orderly) {
        FootfallProcess server{data_, small_memory};
        ASSERT_NO_FATAL_FAILURE(check(server));
        std::vector<std::jthread> threads;
        threads.reserve(loads_.size());
        for (PointLoad& load : loads_) {
            threads.emplace_back([&load, &server] {
                Client client = server.client(20s);
                while (load.step(client)) {
                }
            });
        }
        wait_for_chance(server.process(), random_, 400ms);
        EXPECT_TRUE(server.process().running()) << "it gave up: " << server.process().errors();
        if (orderly) {
            server.process().send_signal(SIGTERM);
            wait_for_chance(server.process(), random_, 100ms);
        }
        server.kill();
    }

    const TemporaryDirectory directory_;
    const std::string data_ = directory_ / "data";
    const std::uint64_t seed_ = random_seed();
    Random random_{seed_};
    std::array<PointLoad, 3> loads_{
        PointLoad{0, random_()}, PointLoad{1, random_()}, PointLoad{2, random_()}
    };
};

TEST_F(MetricsKill, at_any_moment_loses_no_point_and_changes_none) {
    const std::uint64_t kills = environment_number("FOOTFALL_KILLS", 12);
    for (std::uint64_t number = 0; number < kills && !HasFailure(); ++number) {
        SCOPED_TRACE(fmt::format("kill number {}", number));
        ASSERT_NO_FATAL_FAILURE(kill_under_load(number % 3 == 2));
    }
    const FootfallProcess server{data_, small_memory};
    ASSERT_NO_FATAL_FAILURE(check(server));
    Client client = server.client();
    for (PointLoad& load : loads_) {
        ASSERT_TRUE(load.step(client)) << "what was not answered is sent again";
    }
    ASSERT_NO_FATAL_FAILURE(check(server));
    for (const PointLoad& load : loads_) {
        fmt::print("{} points answered\n", load.answered());
        EXPECT_GT(load.answered(), 100U);
    }
}

}  // namespace
}  // namespace footfall::crash
