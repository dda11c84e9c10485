// What a client may not do, or not for long; and what a handler may do wrong.
#include "http_server/server_test_parts.h"

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
        options.bytes_a_second_min = 100;
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

/// How many seconds the server lets a client take a MiB of an answer each.
int seconds_of_taking(TestServer& server, int patience) {
    Seconds seconds{server};
    RawClient client{server.port()};
    client.send(get("/large"));
    int passed = 0;
    while (passed < patience && client.read_bytes(1 << 20)) {
        seconds.wait_for_next();
        ++passed;
    }
    return passed;
}

TEST(SlowClients, who_takes_an_answer_by_the_spoon_is_cut_off) {
    TestServer server{[](ServerOptions& options) {
        options.request_timeout = 2s;
        options.request_bytes_min = 8 << 20;
    }};
    EXPECT_LT(seconds_of_taking(server, 20), 20);
}

TEST(SlowClients, an_answer_is_not_held_longer_than_its_size_asks_for) {
    TestServer server{[](ServerOptions& options) {
        options.request_timeout = 2s;
        options.request_bytes_min = 1;
        options.bytes_a_second_min = 8 << 20;
    }};
    EXPECT_LT(seconds_of_taking(server, 20), 20) << "32 MiB have 2 s, and 4 s more";
}

TEST(SlowClients, an_answer_has_the_time_that_its_size_asks_for) {
    TestServer server{[](ServerOptions& options) {
        options.request_timeout = 2s;
        options.request_bytes_min = 1;
    }};
    EXPECT_EQ(seconds_of_taking(server, 9), 9) << "32 MiB have a quarter of an hour";
}

TEST(SlowClients, a_body_has_no_more_time_than_its_length_asks_for) {
    TestServer server{[](ServerOptions& options) {
        options.request_timeout = 2s;
        options.request_bytes_min = 1;
        options.bytes_a_second_min = 1000;
    }};
    EXPECT_LT(seconds_of_trickling(server, put_head("/echo", 1000), 12), 10) << "2 s, and 1 s more";
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
