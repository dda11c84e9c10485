// kill -9 again and again of a server that is told who is who, one by one and many at once, and
// whom to part again. What was acknowledged holds, and profiles are those that follow from it; what
// nobody acknowledged is said again, and is one statement with what was there.
//
//   FOOTFALL_SEED=7 FOOTFALL_KILLS=200 build/release/tests/crash/crash_test
//   --gtest_filter='Identities*'

#include "foundation_testing/temporary_directory.h"
#include "test_support/api.h"
#include "test_support/chance.h"
#include "test_support/footfall_process.h"
#include "test_support/identities_load.h"
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

class IdentitiesKill : public testing::Test {
protected:
    void settle_and_check(const FootfallProcess& server, bool all) {
        http_server::Client client = server.client();
        Api api{server};
        for (IdentitiesLoad& load : loads_) {
            ASSERT_TRUE(eventually([&] { return load.settle(client); }));
            ASSERT_EQ(load.difference(api, all), "");
            ASSERT_TRUE(load.complaints().empty()) << load.complaints().front();
        }
    }

    void kill_under_load(bool orderly) {
        FootfallProcess server{data_, small_memory};
        ASSERT_NO_FATAL_FAILURE(settle_and_check(server, false));
        std::vector<std::jthread> threads;
        threads.reserve(loads_.size());
        for (IdentitiesLoad& load : loads_) {
            threads.emplace_back([&load, &server] {
                http_server::Client client = server.client(20s);
                while (load.complaints().empty() && load.step(client)) {
                }
            });
        }
        wait_for_chance(server.process(), random_, 600ms);
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
    std::array<IdentitiesLoad, 3> loads_{
        IdentitiesLoad{0, random_()}, IdentitiesLoad{1, random_()}, IdentitiesLoad{2, random_()}
    };
};

TEST_F(IdentitiesKill, at_any_moment_loses_no_statement_and_leaves_profiles_that_follow) {
    const std::uint64_t kills = environment_number("FOOTFALL_KILLS", 16);
    for (std::uint64_t number = 0; number < kills && !HasFailure(); ++number) {
        SCOPED_TRACE(fmt::format("kill number {}", number));
        ASSERT_NO_FATAL_FAILURE(kill_under_load(number % 3 == 2));
    }
    FootfallProcess server{data_, small_memory};
    ASSERT_NO_FATAL_FAILURE(settle_and_check(server, true));
    for (const IdentitiesLoad& load : loads_) {
        fmt::print("{} links and {} partings, acknowledged\n", load.links(), load.partings());
        EXPECT_GT(load.links(), 0U);
        EXPECT_GT(load.partings(), 0U);
    }
}

}  // namespace
}  // namespace footfall::crash
