#include "http_server/server.h"

#include "http_server/server_test_parts.h"

#include <fcntl.h>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace footfall::http_server {
namespace {

using testing::Answer;
using testing::get;
using testing::put;
using testing::put_head;
using testing::RawClient;
using testing::TestServer;

TEST(Server, answers_with_what_every_answer_has) {
    TestServer server;
    RawClient client{server.port()};
    client.send(get("/hello"));
    const Answer answer = client.read();
    EXPECT_TRUE(answer.head.starts_with("HTTP/1.1 200 OK\r\n"));
    EXPECT_EQ(answer.body, "hello");
    EXPECT_EQ(answer.header("Content-Type"), "text/plain; charset=utf-8");
    EXPECT_EQ(answer.header("X-Content-Type-Options"), "nosniff");
    EXPECT_TRUE(answer.header("Date").ends_with(" GMT"));
    EXPECT_EQ(answer.header("Connection"), "");
    EXPECT_NE(server.metrics.text().find("footfall_http_requests_total 1\n"), std::string::npos);
}

TEST(Server, answers_many_pipelined_requests_in_order) {
    TestServer server;
    RawClient client{server.port()};
    constexpr int count = 2000;
    std::string requests;
    for (int at = 0; at < count; ++at) {
        requests += put("/echo", std::to_string(at));
    }
    ASSERT_TRUE(client.send(requests));
    for (int at = 0; at < count; ++at) {
        ASSERT_EQ(client.read().body, std::to_string(at));
    }
}

TEST(Server, answers_requests_that_come_byte_by_byte) {
    TestServer server;
    RawClient client{server.port()};
    for (const char byte : put("/echo", "abc") + get("/hello")) {
        ASSERT_TRUE(client.send({&byte, 1}));
    }
    EXPECT_EQ(client.read().body, "abc");
    EXPECT_EQ(client.read().body, "hello");
}

TEST(Server, takes_large_bodies_and_chunked_ones) {
    TestServer server;
    RawClient client{server.port()};
    const std::string body(3'000'000, 'b');
    client.send(put("/echo", body));
    EXPECT_EQ(client.read().body, body);
    client.send(
        "PUT /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
    );
    EXPECT_EQ(client.read().body, "abc");
}

TEST(Server, head_answers_the_header_of_get) {
    TestServer server;
    RawClient client{server.port()};
    client.send(
        "HEAD /hello HTTP/1.1\r\nHost: h\r\n\r\nHEAD /missing HTTP/1.1\r\nHost: h\r\n\r\n" +
        get("/hello")
    );
    const Answer answer = client.read(true);
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.header("Content-Length"), "5");
    EXPECT_EQ(client.read(true).status, 404);
    EXPECT_EQ(client.read().body, "hello");
}

TEST(Server, an_answer_without_content_announces_no_length) {
    TestServer server;
    RawClient client{server.port()};
    client.send(get("/nothing") + get("/hello"));
    const Answer answer = client.read();
    EXPECT_EQ(answer.status, 204);
    EXPECT_EQ(answer.header("Content-Length"), "");
    EXPECT_EQ(client.read().body, "hello");
}

TEST(Server, says_what_is_wrong_with_path_or_method) {
    TestServer server;
    RawClient client{server.port()};
    client.send(get("/missing") + put("/hello", "x") + "BREW /echo HTTP/1.1\r\nHost: h\r\n\r\n");
    const Answer missing = client.read();
    EXPECT_EQ(missing.status, 404);
    EXPECT_EQ(missing.header("Content-Type"), "application/problem+json");
    const Answer wrong = client.read();
    EXPECT_EQ(wrong.status, 405);
    EXPECT_EQ(wrong.header("Allow"), "GET, HEAD");
    const Answer unknown = client.read();
    EXPECT_EQ(unknown.status, 405);
    EXPECT_EQ(unknown.header("Allow"), "PUT, POST");
    EXPECT_NE(
        server.metrics.text().find("footfall_http_errors_total{status=\"4xx\"} 3\n"),
        std::string::npos
    );
}

TEST(Server, closes_when_the_client_asks_for_it) {
    TestServer server;
    RawClient client{server.port()};
    client.send(get("/hello", "Connection: close\r\n"));
    EXPECT_EQ(client.read().header("Connection"), "close");
    EXPECT_TRUE(client.at_end());
}

TEST(Server, what_follows_a_last_request_is_not_answered_and_spoils_nothing) {
    TestServer server;
    RawClient client{server.port()};
    client.send(get("/large", "Connection: close\r\n"));
    EXPECT_NE(client.read_until("\r\n\r\n"), "");
    client.send(get("/hello"));
    EXPECT_TRUE(client.read_bytes(TestServer::large_bytes));
    for (int more = 0; more < 100; ++more) {
        EXPECT_TRUE(client.send(get("/hello"))) << more;
    }
    client.shut_down_sending();
    EXPECT_TRUE(client.at_end());
}

TEST(Server, tells_an_old_client_whether_the_connection_stays) {
    TestServer server;
    RawClient client{server.port()};
    client.send("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_EQ(client.read().header("Connection"), "keep-alive");
    client.send("GET /hello HTTP/1.0\r\n\r\n");
    EXPECT_EQ(client.read().header("Connection"), "close");
    EXPECT_TRUE(client.at_end());
}

TEST(Server, answers_what_was_asked_before_the_client_stopped_sending) {
    TestServer server;
    RawClient client{server.port()};
    client.send(get("/hello") + get("/hello"));
    client.shut_down_sending();
    EXPECT_EQ(client.read().body, "hello");
    EXPECT_EQ(client.read().body, "hello");
    EXPECT_TRUE(client.at_end());
}

TEST(Server, sends_continue_once_and_only_when_asked) {
    TestServer server;
    RawClient client{server.port()};
    client.send(put_head("/echo", 4, "Expect: 100-continue\r\n"));
    EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    client.send("ab");
    client.send("cd");
    EXPECT_EQ(client.read().body, "abcd");
    client.send(put_head("/echo", 2, "Expect: 100-continue\r\n") + "xy");
    EXPECT_EQ(client.read().body, "xy");
}

TEST(Server, a_body_that_is_too_large_gets_its_answer_instead_of_continue) {
    TestServer server{[](ServerOptions& options) { options.limits.body_bytes = 100; }};
    RawClient client{server.port()};
    client.send(put_head("/echo", 101, "Expect: 100-continue\r\n"));
    EXPECT_EQ(client.read().status, 413);
    client.shut_down_sending();
    EXPECT_TRUE(client.at_end());
}

TEST(Server, a_client_that_goes_on_sending_a_refused_body_sees_the_answer) {
    TestServer server;
    RawClient client{server.port()};
    client.send(get("/hello") + put_head("/echo", 20'000'000));
    EXPECT_TRUE(client.send(std::string(100'000, 'b')));
    EXPECT_EQ(client.read().body, "hello");
    const Answer answer = client.read();
    EXPECT_EQ(answer.status, 413);
    EXPECT_EQ(answer.header("Connection"), "close");
    EXPECT_NE(answer.body.find("/problems/body-too-large"), std::string::npos);
    for (int part = 0; part < 90; ++part) {
        EXPECT_TRUE(client.send(std::string(10'000, 'b'))) << part;
    }
    client.shut_down_sending();
    EXPECT_TRUE(client.at_end());
}

TEST(Server, a_client_that_never_stops_sending_a_refused_body_is_cut_off) {
    TestServer server;
    RawClient client{server.port()};
    client.send(put_head("/echo", 200'000'000));
    const std::string part(1'000'000, 'b');
    int parts = 0;
    while (parts < 200 && client.send(part)) {
        ++parts;
    }
    EXPECT_LT(parts, 200);
}

TEST(Server, refuses_what_it_cannot_read_after_answering_what_came_before) {
    TestServer server;
    for (const auto& [bytes, status] : std::vector<std::pair<std::string, int>>{
             {"nonsense\r\n\r\n", 400},
             {"GET /" + std::string(10'000, 'x'), 414},
             {"GET / HTTP/1.1\r\nX: " + std::string(10'000, 'x'), 431},
             {"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: "
              "chunked\r\n\r\n",
              400}
         }) {
        RawClient client{server.port()};
        client.send(get("/hello") + bytes);
        EXPECT_EQ(client.read().body, "hello");
        const Answer answer = client.read();
        EXPECT_EQ(answer.status, status);
        EXPECT_EQ(answer.header("Content-Type"), "application/problem+json");
        client.shut_down_sending();
        EXPECT_TRUE(client.at_end());
    }
}

TEST(Server, an_endless_line_between_chunks_is_refused) {
    TestServer server;
    RawClient client{server.port()};
    client.send("PUT /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1;");
    client.send(std::string(100'000, 'x'));
    EXPECT_EQ(client.read().status, 431);
}

TEST(Server, a_slow_client_does_not_hold_up_others) {
    TestServer server{{}, 1};
    RawClient half_sent{server.port()};
    half_sent.send(put_head("/echo", 3) + "a");
    RawClient not_reading{server.port()};
    not_reading.send(get("/large"));
    RawClient other{server.port()};
    other.send(get("/hello"));
    EXPECT_EQ(other.read().body, "hello");
    half_sent.send("bc");
    EXPECT_EQ(half_sent.read().body, "abc");
    EXPECT_EQ(not_reading.read().body.size(), TestServer::large_bytes);
}

TEST(Server, turns_away_more_connections_than_its_limit) {
    TestServer server{[](ServerOptions& options) { options.connections_max = 2; }};
    RawClient first{server.port()};
    first.send(get("/hello"));
    EXPECT_EQ(first.read().status, 200);
    auto second = std::make_unique<RawClient>(server.port());
    second->send(get("/hello"));
    EXPECT_EQ(second->read().status, 200);
    const Answer refused = RawClient{server.port()}.read();
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(refused.header("Retry-After"), "1");
    EXPECT_NE(server.metrics.text().find("connections_refused_total 1\n"), std::string::npos);
    second.reset();
    int status = 503;
    while (status == 503) {  // until the server has seen that the second is gone
        RawClient third{server.port()};
        third.send(get("/hello"));
        status = third.read().status;
    }
    EXPECT_EQ(status, 200);
}

TEST(Server, goes_on_accepting_after_descriptors_ran_out) {
    TestServer server{{}, 1};
    RawClient present{server.port()};
    present.send(get("/ticks"));
    EXPECT_NE(present.read_until("tick\n"), "");
    RawClient waiting{server.port()};
    waiting.send(get("/hello"));
    EXPECT_EQ(waiting.read().status, 200);
    rlimit usual{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &usual), 0);
    const int next = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    // One descriptor below the limit, for the client's end of the connection.
    const rlimit tight{.rlim_cur = static_cast<rlim_t>(next) + 1, .rlim_max = usual.rlim_max};
    ::close(next);
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &tight), 0);
    RawClient late{server.port()};
    late.send(get("/hello"));
    EXPECT_NE(present.read_until("tick\n"), "");  // meanwhile the server has tried to accept
    EXPECT_NE(present.read_until("tick\n"), "");
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &usual), 0);
    EXPECT_EQ(late.read().body, "hello");
}

TEST(Server, a_port_that_is_taken_is_a_conflict_that_names_it) {
    TestServer server;
    runtime::IoThreads threads{1};
    const Router router;
    metrics::Metrics metrics;
    testing::TestGate gate;
    Server second{threads, router, gate, metrics, {.port = server.port(), .outcome_unknown = {}}};
    const Result<std::uint16_t> started = second.start();
    ASSERT_FALSE(started.has_value());
    EXPECT_EQ(started.error().kind, ErrorKind::conflict);
    EXPECT_NE(started.error().message.find(std::to_string(server.port())), std::string::npos);
    EXPECT_NE(started.error().message.find("--listen"), std::string::npos);
}

TEST(Server, an_address_that_is_none_is_the_users_mistake) {
    runtime::IoThreads threads{1};
    const Router router;
    metrics::Metrics metrics;
    testing::TestGate gate;
    Server server{threads, router, gate, metrics, {.address = "localhost", .outcome_unknown = {}}};
    EXPECT_EQ(server.start().error().kind, ErrorKind::invalid_input);
}

}  // namespace
}  // namespace footfall::http_server
