// What a client may not do, or not for long; and what a handler may do wrong.
#include "foundation/random.h"
#include "http_server/server_test_parts.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>

namespace footfall::http_server {
namespace {

using testing::Answer;
using testing::get;
using testing::put;
using testing::put_head;
using testing::RawClient;
using testing::TestServer;
using namespace std::chrono_literals;

/// Ticks once a second, as the server does.
class Seconds {
public:
    explicit Seconds(TestServer& server) : client_{server.port()} { client_.send(get("/ticks")); }

    void wait_for_next() { EXPECT_NE(client_.read_until("tick\n"), ""); }

private:
    RawClient client_;
};

/// How many seconds the server lets a client send one byte each.
int seconds_of_trickling(TestServer& server, const std::string& start, int patience) {
    Seconds seconds{server};
    RawClient client{server.port()};
    client.send(start);
    int passed = 0;
    while (passed < patience && client.send("x")) {
        seconds.wait_for_next();
        ++passed;
    }
    return passed;
}

TEST(SlowClients, a_header_has_to_be_there_in_time_however_it_trickles) {
    TestServer server{[](ServerOptions& options) { options.request_timeout = 2s; }};
    EXPECT_LT(seconds_of_trickling(server, "GET /hello HTTP/1.1\r\nX: ", 9), 7);
}

TEST(SlowClients, a_body_that_only_trickles_is_given_up) {
    TestServer server{[](ServerOptions& options) { options.request_timeout = 2s; }};
    EXPECT_LT(seconds_of_trickling(server, put_head("/echo", 1000), 9), 7);
}

TEST(SlowClients, a_body_that_keeps_up_the_least_pace_may_take_its_time) {
    TestServer server{[](ServerOptions& options) {
        options.request_timeout = 2s;
        options.request_bytes_min = 100;
    }};
    Seconds seconds{server};
    RawClient client{server.port()};
    client.send(put_head("/echo", 700));
    for (int part = 0; part < 7; ++part) {
        EXPECT_TRUE(client.send(std::string(100, 'x')));
        seconds.wait_for_next();
    }
    EXPECT_EQ(client.read().body, std::string(700, 'x'));
}

TEST(SlowClients, who_takes_an_answer_by_the_spoon_is_cut_off) {
    TestServer server{[](ServerOptions& options) {
        options.request_timeout = 2s;
        options.request_bytes_min = 8 << 20;
    }};
    Seconds seconds{server};
    RawClient client{server.port()};
    client.send(get("/large"));
    int passed = 0;
    while (passed < 20 && client.read_bytes(1 << 20)) {
        seconds.wait_for_next();
        ++passed;
    }
    EXPECT_LT(passed, 20);
}

TEST(SlowClients, an_idle_one_gives_its_memory_back_and_is_served_when_it_asks) {
    TestServer server{[](ServerOptions& options) { options.idle_timeout = 8s; }, 1};
    RawClient silent{server.port()};
    Seconds seconds{server};
    RawClient client{server.port()};
    const std::string body(100'000, 'b');
    client.send(put("/echo", body));
    EXPECT_EQ(client.read().body, body);
    for (int second = 0; second < 7; ++second) {
        seconds.wait_for_next();
    }
    client.send(put("/echo", body));
    EXPECT_EQ(client.read().body, body);
    EXPECT_TRUE(silent.at_end());
}

/// What the connections hold of large bodies is what the budget says.
void check_bodies(TestServer& server) {
    const runtime::AccountAudit audit = server.server->audit_bodies();
    ASSERT_EQ(audit.booked, audit.counted);
}

TEST(LargeBodies, are_refused_where_too_many_arrive_and_taken_when_the_others_are_through) {
    TestServer server{
        [](ServerOptions& options) {
            options.bodies_bytes_max = 5 << 19;
            options.request_timeout = 5s;
        },
        1
    };
    const std::string half(1 << 20, 'x');
    const std::string whole = put("/echo", half + half);
    RawClient first{server.port()};
    first.send(put_head("/echo", 2 * half.size(), "Expect: 100-continue\r\n"));
    first.read();
    first.send(half);
    RawClient other{server.port()};
    Answer answer;
    // Until the first one's half has arrived, the second may be taken.
    while (answer.status != 503) {
        other.send(whole);
        answer = other.read();
        ASSERT_TRUE(answer.status == 200 || answer.status == 503);
        check_bodies(server);
    }
    EXPECT_GT(server.server->audit_bodies().booked, 0U);
    EXPECT_EQ(answer.header("Retry-After"), "1");
    first.send(half);
    EXPECT_EQ(first.read().status, 200);
    RawClient third{server.port()};
    third.send(whole);
    EXPECT_EQ(third.read().status, 200);
    check_bodies(server);
    EXPECT_EQ(server.server->audit_bodies().booked, 0U);
}

/// Clients send large bodies piece by piece, end them or leave amid them.
TEST(LargeBodies, what_is_booked_of_them_is_what_is_there) {
    struct Client {
        std::unique_ptr<RawClient> socket;
        std::size_t left = 0;  ///< Of its body.
    };

    constexpr std::size_t piece = 100'000;
    TestServer server{[](ServerOptions& options) { options.bodies_bytes_max = 3 << 20; }, 1};
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
        ASSERT_NO_FATAL_FAILURE(check_bodies(server));
        most = std::max(most, server.server->audit_bodies().booked);
    }
    EXPECT_GT(most, std::size_t{2} << 20);
    EXPECT_LE(most, std::size_t{3} << 20);
    EXPECT_GT(answers[200], 10);
    EXPECT_GT(answers[503] + answers[0], 0) << "refused at once, or amid the body";
    for (Client& client : clients) {
        client = {};
    }
    while (server.server->audit_bodies().booked > 0) {
        check_bodies(server);
    }
}

TEST(Hosts, an_http_1_1_request_has_exactly_one) {
    TestServer server;
    RawClient client{server.port()};
    client.send(
        "GET /hello HTTP/1.1\r\n\r\n"
        "GET /hello HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"
        "GET /hello HTTP/1.1\r\nHost:\r\n\r\n"
        "GET http://a/hello HTTP/1.1\r\nHost: b\r\n\r\n"
        "GET /hello HTTP/1.0\r\n\r\n"
    );
    for (const int status : {400, 400, 200, 200, 200}) {
        const Answer answer = client.read();
        EXPECT_EQ(answer.status, status);
        EXPECT_EQ(answer.body.contains("\"Host\""), status == 400);
    }
    EXPECT_TRUE(client.at_end());
}

TEST(FailedHandlers, answer_500_and_the_connection_goes_on) {
    for (const char* path : {"/throws", "/throws-later"}) {
        TestServer server;
        RawClient client{server.port()};
        client.send(get("/hello") + get(path) + get("/hello"));
        EXPECT_EQ(client.read().body, "hello");
        const Answer answer = client.read();
        EXPECT_EQ(answer.status, 500);
        EXPECT_EQ(answer.header("Content-Type"), "application/problem+json");
        EXPECT_EQ(client.read().body, "hello");
    }
}

TEST(FailedHandlers, a_stream_that_fails_ends_without_its_last_chunk) {
    TestServer server;
    RawClient client{server.port()};
    client.send(get("/throws-amid"));
    EXPECT_NE(client.read_until("part\r\n"), "");
    EXPECT_TRUE(client.at_end());
}

}  // namespace
}  // namespace footfall::http_server
