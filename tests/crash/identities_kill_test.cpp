// kill -9 again and again of a server that is told who is who, one by one and many at once, and
// whom to part again. What was acknowledged holds, and profiles are those that follow from it; what
// nobody acknowledged is said again, and is one statement with what was there.
//
//   FOOTFALL_SEED=7 FOOTFALL_KILLS=200 build/release/tests/crash/crash_test
//   --gtest_filter='Identities*'

#include "foundation_testing/temporary_directory.h"
#include "test_support/api.h"
#include "test_support/chance.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/identities_load.h"
#include "test_support/must.h"
#include "test_support/random_seed.h"
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
        FootfallProcess server{data_, flags()};
        ASSERT_NO_FATAL_FAILURE(settle_and_check(server, false));
        ASSERT_NO_FATAL_FAILURE(grow(server));
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
        doublings_ += Api{server}.metric("footfall_identities_index_doublings_total");
        if (orderly) {
            server.process().send_signal(SIGTERM);
            wait_for_chance(server.process(), random_, 100ms);
        }
        server.kill();
    }

    /// Partitions of the index are doubled again and again.
    static std::vector<std::string> flags() {
        std::vector<std::string> words = small_memory;
        words.insert(words.end(), {"--identities-index-partition-bytes", "1024"});
        return words;
    }

    /// More ids, so long that partitions become too large; somebody doubles them while he is
    /// killed.
    void grow(const FootfallProcess& server) {
        std::string lines;
        for (std::size_t left = 500; left > 0; --left) {
            lines += fmt::format(
                R"({{"ids":[{{"identifier":"crash","id_name":"id","id_value":"g{}-{}"}}]}})"
                "\n",
                grown_++,
                std::string(200, 'g')
            );
        }
        http_server::Client client = server.client(20s);
        const auto answer = must(client.send(
            http_server::Method::post,
            "/api/v1/identities/match",
            lines,
            {{"Content-Type", "application/x-ndjson"}}
        ));
        ASSERT_EQ(answer.status, 200) << answer.body;
        // All that were acknowledged, at any time.
        for (std::size_t at = random_.below(20); at < grown_; at += 20) {
            const auto found = must(client.send(
                http_server::Method::get,
                fmt::format("/api/v1/identities/crash/id/g{}-{}", at, std::string(200, 'g')),
                {},
                {}
            ));
            ASSERT_EQ(found.status, 200) << at << found.body;
        }
    }

    const TemporaryDirectory directory_;
    const std::string data_ = directory_ / "data";
    const std::uint64_t seed_ = random_seed();
    Random random_{seed_};
    std::size_t grown_ = 0;
    std::uint64_t doublings_ = 0;  ///< Some of those that came to their end.
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
    FootfallProcess server{data_, flags()};
    ASSERT_NO_FATAL_FAILURE(settle_and_check(server, true));
    ASSERT_NO_FATAL_FAILURE(grow(server));
    for (const IdentitiesLoad& load : loads_) {
        fmt::print("{} links and {} partings, acknowledged\n", load.links(), load.partings());
        EXPECT_GT(load.links(), 0U);
        EXPECT_GT(load.partings(), 0U);
    }
    Api api{server};
    EXPECT_TRUE(eventually(
        [&] {
            return doublings_ + api.metric("footfall_identities_index_doublings_total") > 0 &&
                   api.metric("footfall_identities_index_doubling") == 0;
        },
        120s
    ));
    fmt::print("{} doublings of the index, and some that were not seen\n", doublings_);
    ASSERT_EQ(server.stop(), 0);
    const CommandResult verified = run_footfall({"verify", "identities", "--data", data_});
    EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
    EXPECT_TRUE(verified.output.contains(": 0 differences\n")) << verified.output;
}

}  // namespace
}  // namespace footfall::crash
