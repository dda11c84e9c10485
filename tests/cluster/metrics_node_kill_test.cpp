// A node of Cassandra is killed while points of metrics come, and started again meanwhile: every
// point that was answered is there, with its value, also when another node is away later. On three
// nodes that tools/cluster started, not with --no-sync: such a node forgets its tables when killed:
//
//   tools/cluster up --nodes 3 && source build/cluster/env
//   build/release/tests/cluster/metrics_node_kill_test

#include "foundation_testing/repository.h"
#include "foundation_testing/temporary_directory.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/point_load.h"
#include "test_support/random_seed.h"
#include "test_support/run_command.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace footfall::cluster_test {
namespace {

using namespace std::chrono_literals;
using namespace test_support;
using http_server::Client;

constexpr std::uint64_t requests_between = 300;

void cluster(const std::string& verb, const std::string& name) {
    const CommandResult done =
        run_command({.words = {in_repository("tools/cluster"), verb, name}}, 320s);
    ASSERT_EQ(done.exit_code, 0) << verb << " " << name << ": " << done.errors;
}

/// Three clients that send points until the end, those that were not answered again.
class PointClients {
public:
    PointClients(const FootfallProcess& server, std::uint64_t seed)
        : loads_{PointLoad{0, seed}, PointLoad{1, seed + 1}, PointLoad{2, seed + 2}} {
        for (PointLoad& load : loads_) {
            threads_.emplace_back([this, &load, &server](const std::stop_token& stop) {
                Client client = server.client(20s);
                while (!stop.stop_requested()) {
                    ++(load.step(client) ? answered_ : refused_);
                }
            });
        }
    }

    /// Whether so many more requests are answered.
    bool goes_on() {
        const std::uint64_t wanted = answered_ + requests_between;
        return eventually([&] { return answered_ >= wanted; }, 60s);
    }

    void stop() { threads_.clear(); }

    /// What is not as it was answered; "" if nothing.
    std::string difference(const FootfallProcess& server) const {
        Client client = server.client();
        std::string all;
        for (const PointLoad& load : loads_) {
            all += load.difference(client);
        }
        return all;
    }

    std::string said() const {
        std::size_t points = 0;
        for (const PointLoad& load : loads_) {
            points += load.answered();
        }
        return fmt::format(
            "{} points, {} requests answered, {} sent again",
            points,
            answered_.load(),
            refused_.load()
        );
    }

private:
    std::array<PointLoad, 3> loads_;
    std::atomic<std::uint64_t> answered_ = 0;
    std::atomic<std::uint64_t> refused_ = 0;
    std::vector<std::jthread> threads_;  // last: they end before what they use
};

TEST(MetricsNodeKill, loses_no_point_that_was_answered) {
    const TemporaryDirectory directory;
    FootfallProcess server{directory / "data"};
    PointClients clients{server, random_seed()};
    ASSERT_TRUE(clients.goes_on());
    for (const char* node : {"cassandra-2", "cassandra-1"}) {
        ASSERT_NO_FATAL_FAILURE(cluster("kill", node));
        EXPECT_TRUE(clients.goes_on()) << node << " is away: " << clients.said();
        ASSERT_NO_FATAL_FAILURE(cluster("start", node));
        EXPECT_TRUE(clients.goes_on()) << node << " is back: " << clients.said();
    }
    clients.stop();
    fmt::print("{}\n", clients.said());
    EXPECT_EQ(clients.difference(server), "");

    // The two that missed some are the quorum of a process that knows nothing.
    ASSERT_EQ(server.stop(), 0);
    ASSERT_NO_FATAL_FAILURE(cluster("kill", "cassandra-3"));
    server.restart();
    EXPECT_EQ(clients.difference(server), "");
    ASSERT_NO_FATAL_FAILURE(cluster("start", "cassandra-3"));
}

}  // namespace
}  // namespace footfall::cluster_test
