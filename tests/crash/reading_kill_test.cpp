// kill -9 again and again of a server that is told who shares, who is whose friend, and who reads
// what. What was acknowledged holds, what was withdrawn does not return, and a list of friends is
// never a part of one.
//
// What is stored in the end follows from the log: `verify reading` finds nothing.
//
//   FOOTFALL_SEED=7 FOOTFALL_KILLS=100 build/release/tests/crash/crash_test
//   --gtest_filter='Reading*'

#include "foundation_testing/temporary_directory.h"
#include "test_support/api.h"
#include "test_support/chance.h"
#include "test_support/footfall_process.h"
#include "test_support/random_seed.h"
#include "test_support/reading_load.h"
#include "test_support/run_command.h"

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

class ReadingKill : public testing::Test {
protected:
    void settle_and_check(const FootfallProcess& server) {
        http_server::Client client = server.client();
        Api api{server};
        for (ReadingLoad& load : loads_) {
            ASSERT_TRUE(eventually([&] { return load.settle({&client, &client}); }));
            ASSERT_EQ(load.difference(api), "");
            ASSERT_TRUE(load.complaints().empty()) << load.complaints().front();
        }
    }

    void kill_under_load(bool orderly) {
        FootfallProcess server{data_, small_memory};
        ASSERT_NO_FATAL_FAILURE(settle_and_check(server));
        std::vector<std::jthread> threads;
        threads.reserve(loads_.size());
        for (ReadingLoad& load : loads_) {
            threads.emplace_back([&load, &server] {
                http_server::Client client = server.client(20s);
                while (load.step({&client, &client})) {
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
    std::array<ReadingLoad, 3> loads_{
        ReadingLoad{0, random_()}, ReadingLoad{1, random_()}, ReadingLoad{2, random_()}
    };
};

TEST_F(ReadingKill, at_any_moment_loses_nothing_and_returns_nothing_that_was_withdrawn) {
    const std::uint64_t kills = environment_number("FOOTFALL_KILLS", 16);
    for (std::uint64_t number = 0; number < kills && !HasFailure(); ++number) {
        SCOPED_TRACE(fmt::format("kill number {}", number));
        ASSERT_NO_FATAL_FAILURE(kill_under_load(number % 3 == 2));
    }
    FootfallProcess server{data_, small_memory};
    ASSERT_NO_FATAL_FAILURE(settle_and_check(server));
    for (const ReadingLoad& load : loads_) {
        fmt::print("{} reads and {} things said, acknowledged\n", load.reads(), load.said());
        EXPECT_GT(load.reads(), 0U);
        EXPECT_GT(load.said(), 0U);
    }
    EXPECT_EQ(server.stop(), 0);
    const CommandResult verified = run_footfall({"verify", "reading", "--data", data_});
    EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
    server.restart();
    ASSERT_NO_FATAL_FAILURE(settle_and_check(server));
}

}  // namespace
}  // namespace footfall::crash
