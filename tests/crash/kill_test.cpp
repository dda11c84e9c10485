// kill -9 again and again: while clients put, and while the server starts and recovers. Whatever
// was acknowledged is there, nothing counts that was not attempted, no token counts twice.
//
//   FOOTFALL_SEED=7 FOOTFALL_KILLS=400 build/release/tests/crash/crash_test

#include "client_load.h"
#include "test_support/eventually.h"
#include "test_support/random_seed.h"
#include "test_support/running_server.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace footfall::crash {
namespace {

using std::chrono::microseconds;
using namespace test_support;

constexpr std::size_t client_count = 4;
/// Half of the kills come within this time after exec: most of them before the server is ready.
constexpr std::uint64_t start_up_microseconds = 50'000;
constexpr std::uint64_t load_microseconds = 600'000;
constexpr std::size_t lines_a_batch = 50'000;

class Kill : public testing::Test {
protected:
    Kill() {
        for (std::size_t number = 0; number < client_count; ++number) {
            clients_.emplace_back(number, random_());
        }
    }

    /// Clients put until the server is killed at a random moment.
    void kill_under_load() {
        FootfallProcess server{data_};
        check_counts(server);
        std::vector<std::jthread> threads;
        threads.reserve(client_count);
        for (ClientLoad& client : clients_) {
            threads.emplace_back([&client, &server] { client.run(server); });
        }
        wait_for_chance(server.process(), load_microseconds);
        server.kill();
    }

    void kill_at_start() {
        ChildProcess server = FootfallProcess::launch(data_);
        wait_for_chance(server, start_up_microseconds);
        EXPECT_TRUE(server.running()) << "it gave up by itself: " << server.errors();
        if (server.output().empty()) {
            ++killed_before_ready_;
        }
        server.send_signal(SIGKILL);
        server.wait(std::chrono::seconds{20});
    }

    /// Each object's count lies between what was acknowledged and what was attempted.
    void check_counts(const FootfallProcess& server) {
        PerObject attempted{};
        PerObject acknowledged{};
        for (const ClientLoad& client : clients_) {
            client.add_attempted(attempted);
            client.add_acknowledged(acknowledged);
            for (const std::string& complaint : client.complaints()) {
                ADD_FAILURE() << complaint;
            }
        }
        Api api{server};
        for (std::size_t object = 0; object < object_count; ++object) {
            const std::uint64_t count = api.count(object_name(object));
            EXPECT_GE(count, acknowledged[object]) << object_name(object) << " lost what it had";
            EXPECT_LE(count, attempted[object]) << object_name(object) << " counts too much";
        }
    }

    /// Puts lines again; answers how many of their tokens were new to the server.
    static std::uint64_t put_again(
        const FootfallProcess& server, std::span<const std::string> lines
    ) {
        Api api{server};
        const std::uint64_t before = api.metric("footfall_tokens_added_total");
        while (!lines.empty()) {
            const auto part = lines.first(std::min(lines.size(), lines_a_batch));
            lines = lines.subspan(part.size());
            api.post_lines(fmt::format("{}", fmt::join(part, "")));
        }
        return api.metric("footfall_tokens_added_total") - before;
    }

    /// A count may hide a lost token behind one that was stored but not acknowledged: so every
    /// acknowledged token is put again, and none may be new.
    void check_every_token(const FootfallProcess& server) const {
        std::vector<std::string> lines;
        for (const ClientLoad& client : clients_) {
            client.append_acknowledged(lines);
        }
        EXPECT_EQ(put_again(server, lines), 0U) << "acknowledged tokens were not there any more";
    }

    /// When every token was put again and acknowledged, the counts are exactly what was attempted.
    void check_sums(const FootfallProcess& server) const {
        std::vector<std::string> lines;
        PerObject attempted{};
        for (const ClientLoad& client : clients_) {
            client.append_attempted(lines);
            client.add_attempted(attempted);
        }
        put_again(server, lines);
        Api api{server};
        for (std::size_t object = 0; object < object_count; ++object) {
            EXPECT_EQ(api.count(object_name(object)), attempted[object]) << object_name(object);
        }
    }

    void print_sums(std::uint64_t kills) const {
        std::uint64_t sent = 0;
        std::uint64_t acknowledged = 0;
        for (const ClientLoad& client : clients_) {
            sent += client.puts_sent();
            acknowledged += client.puts_acknowledged();
        }
        fmt::print(
            "{} kills, {} of them before the server was ready: {} of {} PUTs acknowledged\n",
            kills,
            killed_before_ready_,
            acknowledged,
            sent
        );
    }

    /// Waits up to a random time; less if the server ends by itself.
    void wait_for_chance(ChildProcess& server, std::uint64_t bound) {
        const auto wait = std::chrono::ceil<std::chrono::milliseconds>(
            microseconds{static_cast<std::int64_t>(random_.below(bound))}
        );
        eventually([&] { return !server.running(); }, wait, microseconds{200});
    }

    const TemporaryDirectory directory_;
    const std::string data_ = directory_ / "data";
    Random random_{random_seed()};
    std::vector<ClientLoad> clients_;
    std::uint64_t killed_before_ready_ = 0;
};

TEST_F(Kill, at_any_moment_loses_nothing_acknowledged_and_counts_nothing_twice) {
    const std::uint64_t kills = environment_number("FOOTFALL_KILLS", 40);
    for (std::uint64_t kill = 0; kill < kills && !HasFailure(); ++kill) {
        SCOPED_TRACE(fmt::format("kill number {}", kill));
        if (kill % 2 == 0) {
            kill_under_load();
        } else {
            kill_at_start();
        }
    }
    print_sums(kills);
    FootfallProcess server{data_};
    check_counts(server);
    check_every_token(server);
    check_sums(server);
    EXPECT_EQ(server.stop(), 0);
    server.restart();
    check_sums(server);
}

}  // namespace
}  // namespace footfall::crash
