// kill -9 again and again of a server that keeps a ledger: while clicks, sales and refunds come,
// while rates change, also for the past, and months are sealed, while the server starts, and while
// it ends. Every acknowledged event is in every sum once, every rate stands once, a sealed month's
// statement never changes, and the ledger is what follows from its events.
//
//   FOOTFALL_SEED=7 FOOTFALL_KILLS=200 build/release/tests/crash/crash_test
//   --gtest_filter='Ledger*'

#include "foundation_testing/temporary_directory.h"
#include "test_support/api.h"
#include "test_support/chance.h"
#include "test_support/footfall_process.h"
#include "test_support/ledger_load.h"
#include "test_support/random_seed.h"
#include "test_support/run_command.h"
#include "test_support/seal_load.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace footfall::crash {
namespace {

using namespace std::chrono_literals;
using namespace test_support;

enum class When { load, start, end };

constexpr std::array<std::string_view, 3> when_names{
    "under load", "within 150 ms of a start", "in an orderly end"
};

class LedgerKill : public testing::Test {
protected:
    static std::vector<std::string> parties_of(const std::vector<LedgerLoad>& loads) {
        std::vector<std::string> paths;
        for (const LedgerLoad& load : loads) {
            const auto more = load.party_paths();
            paths.insert(paths.end(), more.begin(), more.end());
        }
        return paths;
    }

    /// Every client goes on until the server is gone.
    std::vector<std::jthread> start_load(const FootfallProcess& server) {
        std::vector<std::jthread> threads;
        threads.reserve(loads_.size() + 1);
        for (LedgerLoad& load : loads_) {
            threads.emplace_back([&load, &server] {
                http_server::Client client = server.client(20s);
                while (load.step({.events = &client, .ledger = &client})) {
                }
            });
        }
        threads.emplace_back([this, &server] {
            http_server::Client client = server.client(20s);
            Random random{seed_};
            while (seals_.step(client, random)) {
            }
        });
        return threads;
    }

    void settle(const FootfallProcess& server) {
        http_server::Client client = server.client();
        for (LedgerLoad& load : loads_) {
            EXPECT_TRUE(eventually([&] {
                return load.is_settled() ||
                       (load.settle({.events = &client, .ledger = &client}) && load.is_settled());
            }));
        }
    }

    /// The last seal may have been said, and not be done.
    void finish_seals(const FootfallProcess& server) {
        http_server::Client client = server.client();
        EXPECT_TRUE(eventually([&] {
            return !seals_.is_sealing() || (seals_.step(client, random_), !seals_.is_sealing());
        }));
    }

    void check(const FootfallProcess& server, bool all) {
        Api api{server};
        for (LedgerLoad& load : loads_) {
            load.check(api, all);
            EXPECT_TRUE(load.complaints().empty()) << load.complaints().front();
        }
        EXPECT_TRUE(seals_.complaints().empty()) << seals_.complaints().front();
    }

    void kill_under_load(When when) {
        FootfallProcess server{data_, small_memory};
        settle(server);
        check(server, false);
        {
            const std::vector<std::jthread> threads = start_load(server);
            wait_for_chance(server.process(), random_, 600ms);
            EXPECT_TRUE(server.process().running()) << "it gave up: " << server.process().errors();
            if (when == When::end) {
                server.process().send_signal(SIGTERM);
                wait_for_chance(server.process(), random_, 150ms);
            }
            server.kill();
        }
    }

    void kill(When when) {
        ++kills_[static_cast<std::size_t>(when)];
        if (when != When::start) {
            kill_under_load(when);
            return;
        }
        ChildProcess server = FootfallProcess::launch(data_, small_memory);
        wait_for_chance(server, random_, 150ms);
        EXPECT_TRUE(server.running()) << "it gave up by itself: " << server.errors();
        server.send_signal(SIGKILL);
        server.wait(20s);
    }

    void print_sums() const {
        for (std::size_t when = 0; when < kills_.size(); ++when) {
            fmt::print("{} kills {}\n", kills_[when], when_names[when]);
        }
        for (const LedgerLoad& load : loads_) {
            fmt::print(
                "{} events and {} changes of rates acknowledged; {} batches were there, all or in "
                "part, when they were sent again\n",
                load.events(),
                load.rates(),
                load.found_again()
            );
        }
        fmt::print(
            "{} months sealed under load, {} statements kept\n",
            seals_.sealed(),
            seals_.statements()
        );
    }

    const TemporaryDirectory directory_;
    const std::string data_ = directory_ / "data";
    const std::uint64_t seed_ = random_seed();
    Random random_{seed_};
    const LedgerDays days_ = LedgerDays::until_today();
    std::vector<LedgerLoad> loads_{
        {0, random_(), days_}, {1, random_(), days_}, {2, random_(), days_}
    };
    SealLoad seals_{days_.months(), parties_of(loads_)};
    std::array<std::uint64_t, when_names.size()> kills_{};
};

TEST_F(LedgerKill, at_any_moment_loses_no_money_and_doubles_none) {
    const std::uint64_t kills = environment_number("FOOTFALL_KILLS", 24);
    // The first one late, so that there is something to be sealed, and months stay open.
    const std::uint64_t kills_a_seal = kills / (days_.months().size() + 1) + 1;
    for (std::uint64_t number = 0; number < kills && !HasFailure(); ++number) {
        SCOPED_TRACE(fmt::format("kill number {}", number));
        if (number % kills_a_seal == kills_a_seal - 1) {
            seals_.seal_next();
        }
        kill(When{static_cast<int>(number % when_names.size())});
    }
    FootfallProcess server{data_, small_memory};
    settle(server);
    finish_seals(server);
    print_sums();
    EXPECT_GT(seals_.statements(), 0U);
    check(server, true);
    Api api{server};
    seals_.check(api);
    const std::string split = api.send(http_server::Method::get, "/api/v1/ledger/split").body;
    EXPECT_EQ(server.stop(), 0);
    server.restart();
    check(server, true);
    Api again{server};
    seals_.check(again);
    EXPECT_EQ(again.send(http_server::Method::get, "/api/v1/ledger/split").body, split);
    EXPECT_EQ(server.stop(), 0);
    const CommandResult verified = run_footfall({"verify", "ads", "--data", data_});
    EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
    fmt::print("{}\n", verified.last_line());
}

}  // namespace
}  // namespace footfall::crash
