// A process that counts and answers over HTTP, and one that asks it.

#include "owners/owner_client.h"

#include "http_server/server.h"
#include "journal_rocksdb/schema.h"
#include "journal_rocksdb/store_log.h"
#include "net/gate.h"
#include "owners/owner_desk.h"
#include "owners/proof.h"
#include "owners/schema.h"
#include "owners/test_world.h"
#include "projecting/projection_host.h"
#include "projecting/schema.h"
#include "rankings/schema.h"
#include "rankings/trends.h"
#include "runtime/io_threads.h"
#include "storage/deployment.h"
#include "storage/memory_store.h"
#include "views/asked_owners.h"
#include "views/projection.h"
#include "views/schema.h"
#include "views/views.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <netinet/in.h>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace footfall::owners {
namespace {

constexpr SipKey secret{1, 2};
constexpr std::uint16_t sketch_key = 7;
constexpr std::uint32_t lane = 5;

class OpenGate final : public net::Gate {
public:
    bool open(std::uint64_t /*position*/) const override { return true; }

    void when_decided(std::uint64_t /*position*/, std::move_only_function<void()> decided)
        override {
        decided();
    }
};

/// Answers owner_path by a desk, or not at all.
class Door {
public:
    explicit Door(const OwnerDesk& desk) {
        router_.add(
            http_server::Method::post,
            owner_path,
            [this, &desk](http_server::Exchange& exchange) -> std::optional<runtime::Task<>> {
                answer(desk, exchange);
                return std::nullopt;
            }
        );
        threads_.start();
        port = server_.start().value();
    }

    Door(const Door&) = delete;
    Door& operator=(const Door&) = delete;

    ~Door() { threads_.stop(); }

    std::string address() const { return fmt::format("127.0.0.1:{}", port); }

    std::uint16_t port = 0;
    std::atomic<int> asked = 0;

private:
    void answer(const OwnerDesk& desk, http_server::Exchange& exchange) {
        ++asked;
        const http_server::Request& request = exchange.request();
        if (!desk.knows(request.header(proof_header), request.body)) {
            exchange.response().status = 403;
            return;
        }
        Result<std::string> answer = desk.answer(request.body);
        exchange.response().status = answer ? 200 : 400;
        exchange.response().body = std::move(answer).value_or("");
    }

    http_server::Router router_;
    OpenGate gate_;
    metrics::Metrics metrics_;
    runtime::IoThreads threads_{1};
    http_server::Server server_{threads_, router_, gate_, metrics_, {.port = 0}};
};

/// Takes connections and says nothing.
class SilentDoor {
public:
    SilentDoor() : socket_{::socket(AF_INET, SOCK_STREAM, 0)} {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof(address);
        auto* const general = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(::bind(socket_, general, size), 0);
        EXPECT_EQ(::listen(socket_, 8), 0);
        EXPECT_EQ(::getsockname(socket_, general, &size), 0);
        address_ = fmt::format("127.0.0.1:{}", ntohs(address.sin_port));
    }

    SilentDoor(const SilentDoor&) = delete;
    SilentDoor& operator=(const SilentDoor&) = delete;

    ~SilentDoor() { ::close(socket_); }

    const std::string& address() const { return address_; }

private:
    int socket_;
    std::string address_;
};

class OwnerClientTest : public testing::Test {
protected:
    OwnerClientTest() {
        counting_.lanes.announce(door_.address());
        own({lane});
    }

    void own(const std::vector<std::uint32_t>& lanes) {
        EXPECT_TRUE(counting_.lanes.assigned(lanes));
        EXPECT_TRUE(counting_.lanes.settle());
    }

    /// Counts an event of another person each time.
    void count(std::uint32_t in_lane, const std::string& object) {
        const std::uint64_t offset = counting_.counting.ends[in_lane]++;
        const views::Fact fact{
            .action = "view",
            .object = object,
            .offset = offset,
            .time = start,
            .person = (offset + 1) * 0x9e3779b97f4a7c15
        };
        views_.apply(in_lane, {&fact, 1});
    }

    views::Report report(const std::string& object) {
        auto report = asking_.report(lane, {.action = "view", .object = object});
        EXPECT_TRUE(report) << report.error().message;
        return report ? *std::move(report) : views::Report{};
    }

    bool says(const std::string& metric) {
        return metrics_.text().find(metric + "\n") != std::string::npos;
    }

    OwnerClient::Options options() {
        return {
            .store = &store_,
            .clock = &clock_,
            .metrics = &metrics_,
            .log = test_log,
            .secret = secret,
            .patience = 20s,
            .fresh_for = 1h
        };
    }

    static constexpr std::array<const storage::Table*, 13> tables{
        &storage::deployment_table,
        &lane_owner_table,
        &journal_rocksdb::log_block_table,
        &journal_rocksdb::log_lane_table,
        &journal_rocksdb::log_begin_table,
        &projecting::projection_checkpoint_table,
        &rankings::rank_day_table,
        &rankings::trend_state_table,
        &views::view_day_table,
        &views::view_total_table,
        &views::view_rank_table,
        &views::view_expired_day_table,
        &views::view_expired_total_table
    };
    ManualClock clock_{start};
    metrics::Metrics metrics_;
    storage::MemoryStore store_{tables, clock_};
    views::Views views_{store_, test_log, sketch_key, clock_, {}};
    Process counting_{store_, clock_, ""};
    rankings::Trends trends_{store_, clock_, {.job = "views", .log = test_log}};
    views::ViewsProjection projection_{views_, trends_, secret};
    std::unique_ptr<journal::Log> log_ = journal_rocksdb::StoreLog::open(store_).value();
    projecting::ProjectionHost host_{
        store_, *log_, {{.name = "views", .projection = &projection_}}
    };
    OwnerDesk desk_{host_, counting_.lanes, secret, clock_};
    Door door_{desk_};
    OwnerClient owners_{options()};
    views::AskedOwners asked_{owners_, "views", sketch_key};
    views::Views asking_{store_, test_log, sketch_key, clock_, {.owners = &asked_}};
};

TEST_F(OwnerClientTest, what_was_counted_just_now_is_told_by_who_asks) {
    for (int views = 1; views <= 200; ++views) {
        count(lane, "page");
        const views::Report told = report("page");
        ASSERT_EQ(told.counts.counted, views);
        ASSERT_EQ(told.standing.counted, views);
        ASSERT_FALSE(told.standing.provisional);
    }
    EXPECT_EQ(
        report("page").people, views_.report(lane, {.action = "view", .object = "page"})->people
    );
    ASSERT_TRUE(views_.flush_all());
    EXPECT_EQ(report("page").counts.counted, 200U);
    EXPECT_EQ(door_.asked, 202);
    EXPECT_TRUE(says(R"(footfall_owner_answers_total{outcome="answered"} 202)"));
}

TEST_F(OwnerClientTest, an_owner_is_asked_once_for_all_of_its_lanes) {
    own({6, 7});
    count(5, "page");
    count(6, "page");
    count(7, "page");
    count(6, "");
    const auto all = asking_.report_of_all({.action = "view"});
    ASSERT_TRUE(all);
    EXPECT_EQ(all->counts.counted, 1U);
    EXPECT_EQ(door_.asked, 1);
    EXPECT_TRUE(all->standing.provisional) << "nobody has the other lanes";
    ASSERT_TRUE(views_.flush_all());
    count(6, "page");
    const auto ranking = asking_.top("view", views::RankBy::views, 1);
    ASSERT_TRUE(ranking);
    EXPECT_EQ(door_.asked, 2);
    EXPECT_FALSE(ranking->standing.provisional);
}

TEST_F(OwnerClientTest, a_lane_that_has_gone_is_told_by_its_rows) {
    count(lane, "page");
    ASSERT_TRUE(views_.flush_all());
    count(lane, "page");
    EXPECT_EQ(report("page").counts.counted, 2U);
    counting_.lanes.revoked(std::vector<std::uint32_t>{lane}, true);
    const views::Report told = report("page");
    EXPECT_EQ(told.counts.counted, 1U);
    EXPECT_TRUE(told.standing.provisional);
    EXPECT_EQ(told.standing.stored, start);
    EXPECT_TRUE(says(R"(footfall_owner_answers_total{outcome="refused"} 1)"));
}

/// It has the lane again, as another owner: who knows the one before is told nothing.
TEST_F(OwnerClientTest, only_the_owner_that_was_found_is_believed) {
    EXPECT_FALSE(report("page").standing.provisional);
    counting_.lanes.revoked(std::vector<std::uint32_t>{lane}, false);
    own({lane});
    EXPECT_TRUE(report("page").standing.provisional) << "for the table was read before";
}

TEST_F(OwnerClientTest, who_is_silent_is_not_waited_for) {
    const SilentDoor silent;
    counting_.lanes.announce(silent.address());
    own({lane});
    OwnerClient::Options hurried = options();
    hurried.patience = 50ms;
    OwnerClient owners{hurried};
    const projecting::LaneQuestion asked{.lane = lane, .bytes = "?"};
    const projecting::LaneAnswers answer = owners.ask("views", {&asked, 1});
    EXPECT_FALSE(answer.of_asked.at(0));
    EXPECT_EQ(answer.stored, start);
    EXPECT_TRUE(says(R"(footfall_owner_answers_total{outcome="timed_out"} 1)"));
}

TEST_F(OwnerClientTest, an_owner_that_is_gone_is_told_by_its_rows) {
    counting_.lanes.announce("127.0.0.1:1");
    own({lane});
    EXPECT_TRUE(report("page").standing.provisional);
    EXPECT_TRUE(says(R"(footfall_owner_answers_total{outcome="failed"} 1)"));
    counting_.lanes.announce("nowhere");
    own({lane});
    EXPECT_TRUE(report("page").standing.provisional);
}

/// A process of before, or after, that has another list of jobs.
TEST_F(OwnerClientTest, who_does_not_know_the_projection_has_not_answered) {
    const projecting::LaneQuestion asked{.lane = lane, .bytes = "?"};
    EXPECT_FALSE(owners_.ask("tally", {&asked, 1}).of_asked[0]);
    EXPECT_TRUE(says(R"(footfall_owner_answers_total{outcome="failed"} 1)"));
}

TEST_F(OwnerClientTest, another_deployment_is_told_nothing) {
    OwnerClient::Options foreign = options();
    foreign.secret = SipKey{1, 3};
    OwnerClient owners{foreign};
    const projecting::LaneQuestion asked{.lane = lane, .bytes = "?"};
    EXPECT_FALSE(owners.ask("views", {&asked, 1}).of_asked[0]);
    EXPECT_EQ(door_.asked, 1);
    EXPECT_TRUE(says(R"(footfall_owner_answers_total{outcome="failed"} 1)"));
}

}  // namespace
}  // namespace footfall::owners
