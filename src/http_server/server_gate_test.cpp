// Many answers that wait at the gate at the same time.
#include "http_server/server_test_parts.h"

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace footfall::http_server {
namespace {

using testing::Answer;
using testing::get;
using testing::RawClient;
using testing::TestServer;

using Clients = std::vector<std::unique_ptr<RawClient>>;

/// Clients whose answers wait at the gate: the first at position `first`, the next at `first` + 1.
Clients waiting_clients(TestServer& server, std::uint64_t first, std::uint64_t count) {
    Clients clients;
    for (std::uint64_t at = 0; at < count; ++at) {
        clients.push_back(std::make_unique<RawClient>(server.port()));
        clients.back()->send(get("/held/" + std::to_string(first + at)));
        server.wait_for_held(at + 1);
    }
    server.settle();
    return clients;
}

TEST(GateQueue, one_question_serves_all_who_wait) {
    TestServer server{{}, 1};
    const Clients clients = waiting_clients(server, 1, 50);
    EXPECT_EQ(server.gate.questions(), 1U);
    server.gate.decide_all(1, 50, true);
    for (const auto& client : clients) {
        EXPECT_EQ(client->read().status, 200);
    }
    EXPECT_EQ(server.gate.questions(), 1U);
}

TEST(GateQueue, those_behind_what_was_decided_go_on_waiting) {
    TestServer server{{}, 1};
    const Clients clients = waiting_clients(server, 1, 10);
    server.gate.decide_all(1, 4, true);
    for (std::size_t at = 0; at < 4; ++at) {
        EXPECT_EQ(clients[at]->read().status, 200);
    }
    server.gate.wait_for_waiter(5);
    EXPECT_EQ(server.gate.questions(), 2U);
    server.gate.decide_all(5, 9, false);
    server.gate.decide(10, true);
    for (std::size_t at = 4; at < 10; ++at) {
        EXPECT_EQ(clients[at]->read().status, at == 9 ? 200 : 503);
    }
}

TEST(GateQueue, who_comes_later_with_a_lower_position_need_not_wait_for_the_others) {
    TestServer server{{}, 1};
    RawClient high{server.port()};
    high.send(get("/held/9"));
    server.gate.wait_for_waiter(9);
    RawClient low{server.port()};
    low.send(get("/held/3"));
    server.gate.wait_for_waiter(3);
    server.gate.decide(3, true);
    EXPECT_EQ(low.read().body, "/held/3");
    server.gate.decide(9, true);
    EXPECT_EQ(high.read().body, "/held/9");
}

TEST(GateQueue, an_answer_behind_the_gate_may_wait_there_again) {
    TestServer server{{}, 1};
    RawClient client{server.port()};
    client.send(get("/held/1") + get("/later/a") + get("/held/2"));
    server.gate.wait_for_waiter(1);
    server.gate.decide(1, true);
    server.mailbox.answer("a", "later");
    server.gate.wait_for_waiter(2);
    server.gate.decide(2, true);
    EXPECT_EQ(client.read().body, "/held/1");
    EXPECT_EQ(client.read().body, "later");
    EXPECT_EQ(client.read().body, "/held/2");
}

TEST(GateQueue, loses_nobody_between_threads_that_write_and_one_that_decides) {
    constexpr std::uint64_t requests_each = 300;
    constexpr std::size_t depth = 3;
    constexpr std::size_t client_count = 6;
    constexpr std::uint64_t total = requests_each * depth * client_count;
    TestServer server{{}, 2};
    std::jthread decider{[&server] {
        bool opens = true;
        for (std::uint64_t decided = 0; decided < total; opens = !opens) {
            const std::uint64_t last = server.wait_for_held(decided + 1);
            server.gate.decide_all(decided + 1, last, opens);
            decided = last;
        }
    }};
    std::atomic<std::uint64_t> known = 0;
    std::atomic<std::uint64_t> unknown = 0;
    const auto ask = [&](RawClient& client) {
        for (std::uint64_t at = 0; at < requests_each; ++at) {
            client.send(get("/next") + get("/next") + get("/next"));
            for (std::size_t answers = 0; answers < depth; ++answers) {
                const Answer answer = client.read();
                ++(answer.status == 200 ? known : unknown);
                ASSERT_TRUE(answer.status == 200 || answer.body == "unknown");
            }
        }
    };
    std::vector<std::jthread> threads;
    threads.reserve(client_count);
    for (std::size_t number = 0; number < client_count; ++number) {
        threads.emplace_back([&] {
            RawClient client{server.port()};
            ask(client);
        });
    }
    threads.clear();
    EXPECT_EQ(known + unknown, total);
    EXPECT_GT(known, 0U);
    EXPECT_GT(unknown, 0U);
}

}  // namespace
}  // namespace footfall::http_server
