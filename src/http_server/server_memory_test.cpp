// What requests and answers hold of memory, and what is said when there is no more.
#include "foundation/random.h"
#include "http_server/server_test_parts.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace footfall::http_server {
namespace {

using testing::Answer;
using testing::get;
using testing::put;
using testing::put_head;
using testing::RawClient;
using testing::TestServer;
using namespace std::chrono_literals;

constexpr std::size_t mib = 1 << 20;

std::string chunked_head(const std::string& target) {
    return "PUT " + target + " HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
}

std::string chunk(std::size_t bytes) {
    std::string hex;
    for (std::size_t left = bytes; left > 0; left /= 16) {
        hex.insert(hex.begin(), "0123456789abcdef"[left % 16]);
    }
    return hex + "\r\n" + std::string(bytes, 'x') + "\r\n";
}

/// What the connections hold is what the budgets say.
void check_memory(TestServer& server) {
    const runtime::AccountAudit audit = server.server->audit_memory();
    ASSERT_EQ(audit.booked, audit.counted);
}

std::size_t booked(TestServer& server) {
    return server.server->audit_memory().booked;
}

TEST(Heads, decide_of_a_request_before_its_body_is_there) {
    TestServer server;
    for (const auto& [target, status] : std::map<std::string, int>{
             {"/guarded", 401}, {"/nowhere", 404}, {"/hello", 405}, {"/short", 413}
         }) {
        RawClient client{server.port()};
        client.send(put_head(target, mib));
        EXPECT_EQ(client.read().status, status) << target;
        EXPECT_TRUE(client.at_end()) << target;
    }
}

TEST(Heads, are_asked_before_the_client_is_told_to_continue) {
    TestServer server;
    RawClient client{server.port()};
    client.send(put_head("/guarded", 10, "Expect: 100-continue\r\n"));
    EXPECT_EQ(client.read().status, 401);
    RawClient other{server.port()};
    other.send(put_head("/guarded", 10, "Expect: 100-continue\r\nAuthorization: a\r\n"));
    EXPECT_EQ(other.read().status, 100);
    other.send("0123456789");
    EXPECT_EQ(other.read().body, "0123456789");
}

TEST(Heads, let_in_who_is_refused_by_nothing_however_the_body_comes) {
    TestServer server;
    RawClient client{server.port()};
    client.send(put_head("/guarded", 200'000, "Authorization: a\r\n"));
    client.send(std::string(100'000, 'a'));
    client.send(std::string(100'000, 'b') + put("/short", std::string(101, 'x')));
    EXPECT_EQ(client.read().body, std::string(100'000, 'a') + std::string(100'000, 'b'));
    const Answer answer = client.read();
    EXPECT_EQ(answer.status, 413);
    EXPECT_TRUE(answer.body.contains("/problems/too-long")) << answer.body;
    client.send(get("/hello"));
    EXPECT_EQ(client.read().body, "hello") << "all of that request was there: the next one follows";
}

TEST(Heads, of_chunked_bodies_say_no_length_and_so_the_limit_is_held_as_they_come) {
    TestServer server;
    RawClient client{server.port()};
    client.send(chunked_head("/short") + chunk(60));
    server.settle();
    client.send(chunk(60));
    EXPECT_EQ(client.read().status, 413);
    EXPECT_TRUE(client.at_end());
}

TEST(RequestMemory, is_refused_where_too_much_arrives_and_given_when_others_are_through) {
    TestServer server{
        [](ServerOptions& options) { options.memory.open.requests = 5 * mib / 2; }, 1
    };
    RawClient first{server.port()};
    first.send(put_head("/echo", 2 * mib, "Expect: 100-continue\r\n"));
    EXPECT_EQ(first.read().status, 100);
    check_memory(server);
    EXPECT_GE(booked(server), 2 * mib);
    RawClient other{server.port()};
    other.send(put_head("/echo", mib));
    const Answer answer = other.read();
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.header("Retry-After"), "1");
    EXPECT_TRUE(answer.body.contains("/problems/overloaded")) << answer.body;
    EXPECT_TRUE(server.metrics.text().contains(
        R"(footfall_http_memory_refused_total{door="open",of="requests"} 1)"
    )) << server.metrics.text();
    first.send(std::string(2 * mib, 'x'));
    EXPECT_EQ(first.read().body.size(), 2 * mib);
    RawClient third{server.port()};
    third.send(put("/echo", std::string(mib, 'x')));
    EXPECT_EQ(third.read().status, 200);
    check_memory(server);
    EXPECT_EQ(booked(server), 0U);
}

TEST(RequestMemory, counts_small_bodies_too) {
    TestServer server{[](ServerOptions& options) { options.memory.open.requests = mib; }, 1};
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int number = 0; number < 100; ++number) {
        clients.push_back(std::make_unique<RawClient>(server.port()));
        clients.back()->send(put_head("/echo", 100'000) + std::string(50'000, 'x'));
    }
    RawClient last{server.port()};
    last.send(put_head("/echo", 100'000) + std::string(50'000, 'x'));
    EXPECT_EQ(last.read().status, 503);
    check_memory(server);
    EXPECT_GT(booked(server), mib / 2);
    EXPECT_LE(booked(server), mib);
}

TEST(RequestMemory, of_a_body_that_stalls_is_the_body_and_little_else) {
    TestServer server{{}, 1};
    RawClient client{server.port()};
    const std::size_t length = 130'000;
    client.send(put_head("/echo", length) + std::string(length - 1, 'x'));
    while (booked(server) == 0) {
    }
    server.settle();
    check_memory(server);
    EXPECT_LT(booked(server), length + (10 << 10)) << "input buffers go while nothing comes";
}

TEST(RequestMemory, of_headers_that_stall_is_counted) {
    TestServer server{[](ServerOptions& options) { options.memory.open.requests = 64 << 10; }, 1};
    std::vector<std::unique_ptr<RawClient>> clients;
    const std::string header = "GET /hello HTTP/1.1\r\nHost: h\r\nX: " + std::string(7000, 'x');
    for (int number = 0; number < 20; ++number) {
        clients.push_back(std::make_unique<RawClient>(server.port()));
        clients.back()->send(header);
    }
    EXPECT_EQ(clients.back()->read().status, 503);
    check_memory(server);
}

TEST(RequestMemory, of_the_open_door_is_not_that_of_the_trusted_one) {
    TestServer server{[](ServerOptions& options) { options.memory.open.requests = mib; }, 1};
    RawClient stalled{server.port()};
    stalled.send(put_head("/echo", mib - (20 << 10), "Expect: 100-continue\r\n"));
    EXPECT_EQ(stalled.read().status, 100);
    RawClient open{server.port()};
    open.send(put_head("/echo", mib / 2));
    EXPECT_EQ(open.read().status, 503);
    RawClient trusted{server.port()};
    trusted.send(put_head("/guarded", mib / 2, "Authorization: a\r\n"));
    trusted.send(std::string(mib / 2, 'x'));
    EXPECT_EQ(trusted.read().body.size(), mib / 2);
}

TEST(RequestMemory, of_a_chunked_body_grows_with_it) {
    TestServer server{[](ServerOptions& options) { options.memory.open.requests = mib; }, 1};
    RawClient client{server.port()};
    client.send(chunked_head("/echo"));
    int sent = 0;
    while (sent < 40 && client.send(chunk(50'000))) {
        ++sent;
        check_memory(server);
        EXPECT_LE(booked(server), mib);
    }
    EXPECT_EQ(client.read().status, 503) << "two million bytes do not fit";
    RawClient other{server.port()};
    other.send(chunked_head("/echo") + chunk(300'000) + "0\r\n\r\n");
    EXPECT_EQ(other.read().body.size(), 300'000U);
}

/// Clients send large bodies piece by piece, end them or leave amid them.
TEST(RequestMemory, is_booked_as_it_is_there) {
    struct Client {
        std::unique_ptr<RawClient> socket;
        std::size_t left = 0;  ///< Of its body.
    };

    constexpr std::size_t piece = 100'000;
    TestServer server{[](ServerOptions& options) { options.memory.open.requests = 3 * mib; }, 1};
    std::array<Client, 6> clients;
    Random random{1};
    std::size_t most = 0;
    std::map<int, int> answers;
    for (int step = 0; step < 600; ++step) {
        Client& client = clients[random.below(clients.size())];
        if (client.socket == nullptr) {
            client.socket = std::make_unique<RawClient>(server.port());
        }
        if (client.left == 0) {
            client.left = piece * (1 + random.below(12));
            client.socket->send(put_head("/echo", client.left));
        }
        if (random.below(15) == 0) {
            client.socket->vanish();
            client = {};
        } else {
            const bool taken = client.socket->send(std::string(piece, 'x'));
            client.left -= piece;
            if (!taken) {
                ++answers[0];
                client = {};
            } else if (client.left == 0) {
                ++answers[client.socket->read().status];
                client.socket.reset();
            }
        }
        ASSERT_NO_FATAL_FAILURE(check_memory(server));
        most = std::max(most, booked(server));
    }
    EXPECT_GT(most, 2 * mib);
    EXPECT_LE(most, 3 * mib + 16 * mib) << "of requests, and of the answer that leaves";
    EXPECT_GT(answers[200], 10);
    EXPECT_GT(answers[503] + answers[0], 0) << "refused at once, or amid the body";
    for (Client& client : clients) {
        client = {};
    }
    while (booked(server) > 0) {
        check_memory(server);
    }
}

TEST(AnswerMemory, is_refused_where_too_many_wait_for_their_clients) {
    TestServer server{
        [](ServerOptions& options) { options.memory.open.answers = TestServer::large_bytes + mib; },
        1
    };
    RawClient silent{server.port()};
    silent.send(get("/large"));
    EXPECT_NE(silent.read_until("\r\n\r\n"), "");
    check_memory(server);
    EXPECT_GE(booked(server), TestServer::large_bytes);
    RawClient other{server.port()};
    other.send(get("/large") + get("/hello"));
    const Answer answer = other.read();
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.header("Retry-After"), "1");
    EXPECT_EQ(other.read().body, "hello") << "small ones need no room";
    EXPECT_TRUE(silent.read_bytes(TestServer::large_bytes));
    Answer again;
    while (again.status != 200) {
        other.send(get("/large"));
        again = other.read();
        ASSERT_TRUE(again.status == 200 || again.status == 503);
    }
    EXPECT_EQ(again.body.size(), TestServer::large_bytes);
    server.settle();
    check_memory(server);
    EXPECT_EQ(booked(server), 0U);
}

TEST(AnswerMemory, of_a_write_that_does_not_fit_says_that_nobody_knows) {
    TestServer server{[](ServerOptions& options) { options.memory.open.answers = mib; }, 1};
    RawClient client{server.port()};
    client.send(put("/echo", std::string(2 * mib, 'x')));
    const Answer answer = client.read();
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.body, "unknown");
}

TEST(AnswerMemory, of_many_small_ones_that_are_not_read_ends_the_connection) {
    TestServer server{[](ServerOptions& options) { options.memory.open.answers = 64 << 10; }, 1};
    RawClient client{server.port()};
    std::string many;
    for (int number = 0; number < 1000; ++number) {
        many += get("/hello");
    }
    bool sent = true;
    for (int round = 0; round < 1000 && sent; ++round) {
        sent = client.send(many);
    }
    EXPECT_FALSE(sent);
    check_memory(server);
}

TEST(AnswerMemory, of_streams_ends_those_that_do_not_fit) {
    TestServer server{[](ServerOptions& options) { options.memory.open.answers = mib; }, 1};
    RawClient client{server.port()};
    client.send(get("/flood"));
    server.wait_for_ended_streams(1);
    EXPECT_TRUE(client.at_end());
}

TEST(Memory, is_told_by_door_and_kind) {
    TestServer server{[](ServerOptions& options) { options.memory.trusted.requests = 2 * mib; }, 1};
    RawClient client{server.port()};
    client.send(put_head("/guarded", mib, "Authorization: a\r\nExpect: 100-continue\r\n"));
    EXPECT_EQ(client.read().status, 100);
    server.settle();
    server.server->tell_figures();
    const std::string text = server.metrics.text();
    const auto value_of = [&](const std::string& name) {
        const std::size_t at = text.find(name + " ");
        return at == std::string::npos ? -1.0 : std::stod(text.substr(at + name.size() + 1));
    };
    EXPECT_GE(value_of(R"(footfall_http_memory_bytes{door="trusted",of="requests"})"), 1 << 20);
    EXPECT_EQ(value_of(R"(footfall_http_memory_bytes{door="open",of="requests"})"), 0);
    EXPECT_EQ(value_of(R"(footfall_http_memory_bytes{door="trusted",of="answers"})"), 0);
    EXPECT_EQ(
        value_of(R"(footfall_http_memory_limit_bytes{door="trusted",of="requests"})"), 2 << 20
    );
}

TEST(Memory, is_half_of_the_program_s_and_always_enough_for_a_large_body) {
    constexpr std::size_t body = 16 * mib;
    const auto small = MemoryLimits::of(64 * mib, body);
    EXPECT_GT(small.trusted.requests, body);
    EXPECT_GE(small.trusted.answers, body);
    const auto large = MemoryLimits::of(1024 * mib, body);
    EXPECT_EQ(
        large.open.requests + large.open.answers + large.trusted.requests + large.trusted.answers,
        512 * mib
    );
}

}  // namespace
}  // namespace footfall::http_server
