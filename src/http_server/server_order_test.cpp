// Answers that have to wait, for the gate, for their handler or for their client, and what that
// means for the answers around them.
#include "http_server/server_test_parts.h"

#include <string>
#include <vector>

namespace footfall::http_server {
namespace {

using testing::get;
using testing::put_head;
using testing::RawClient;
using testing::TestServer;

TEST(HeldAnswers, leave_in_order_once_the_gate_opens) {
    TestServer server;
    RawClient client{server.port()};
    client.send(get("/held/1") + get("/hello") + get("/held/2"));
    server.gate.wait_for_waiter(2);
    server.gate.decide(1, true);
    server.gate.decide(2, true);
    EXPECT_EQ(client.read().body, "/held/1");
    EXPECT_EQ(client.read().body, "hello");
    EXPECT_EQ(client.read().body, "/held/2");
}

TEST(HeldAnswers, leave_at_once_when_the_gate_is_open) {
    TestServer server;
    server.gate.decide(7, true);
    RawClient client{server.port()};
    client.send(get("/held/7"));
    EXPECT_EQ(client.read().body, "/held/7");
}

TEST(HeldAnswers, are_replaced_when_nobody_knows_the_outcome_and_the_others_are_left) {
    TestServer server;
    RawClient client{server.port()};
    client.send(
        get("/hello") + get("/held/1") + get("/held/2") + get("/nothing") + get("/held/3") +
        "HEAD /held/2 HTTP/1.1\r\nHost: h\r\n\r\n" + get("/hello") + get("/held/2") +
        get("/missing")
    );
    server.gate.wait_for_waiter(3);
    server.gate.decide(1, true);
    server.gate.decide(2, false);
    server.gate.decide(3, true);
    EXPECT_EQ(client.read().body, "hello");
    EXPECT_EQ(client.read().body, "/held/1");
    EXPECT_EQ(client.read().body, "unknown");
    EXPECT_EQ(client.read().status, 204);
    EXPECT_EQ(client.read().body, "/held/3");
    EXPECT_EQ(client.read(true).status, 503);
    EXPECT_EQ(client.read().body, "hello");
    EXPECT_EQ(client.read().body, "unknown");
    EXPECT_EQ(client.read().status, 404);
    client.send(get("/hello"));
    EXPECT_EQ(client.read().body, "hello");
}

TEST(HeldAnswers, a_replaced_answer_still_says_that_the_connection_ends) {
    TestServer server;
    server.gate.decide(1, false);
    RawClient client{server.port()};
    client.send(get("/held/1", "Connection: close\r\n"));
    const testing::Answer answer = client.read();
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.header("Connection"), "close");
    EXPECT_TRUE(client.at_end());
}

TEST(HeldAnswers, continue_is_sent_behind_them) {
    for (const bool opens : {true, false}) {
        TestServer server;
        RawClient client{server.port()};
        client.send(get("/held/1") + put_head("/echo", 2, "Expect: 100-continue\r\n"));
        server.gate.wait_for_waiter(1);
        server.gate.decide(1, opens);
        EXPECT_EQ(client.read().status, opens ? 200 : 503);
        EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
        client.send("xy");
        EXPECT_EQ(client.read().body, "xy");
    }
}

TEST(HeldAnswers, a_refusal_leaves_behind_them) {
    TestServer server;
    RawClient client{server.port()};
    client.send(get("/held/1") + "nonsense\r\n");
    server.gate.wait_for_waiter(1);
    server.gate.decide(1, false);
    EXPECT_EQ(client.read().body, "unknown");
    EXPECT_EQ(client.read().status, 400);
}

TEST(HeldAnswers, a_gate_may_take_longer_than_a_client_may_be_idle) {
    TestServer server{
        [](ServerOptions& options) {
            options.idle_timeout = std::chrono::seconds{1};
            options.request_timeout = std::chrono::seconds{1};
        },
        1
    };
    RawClient client{server.port()};
    client.send(get("/held/1"));
    server.gate.wait_for_waiter(1);
    RawClient idle{server.port()};
    EXPECT_TRUE(idle.at_end());  // so the time has passed for the first client, too
    server.gate.decide(1, true);
    EXPECT_EQ(client.read().body, "/held/1");
}

TEST(HeldAnswers, are_dropped_with_a_client_that_vanished) {
    TestServer server;
    RawClient client{server.port()};
    client.send(get("/held/1") + get("/large"));
    server.gate.wait_for_waiter(1);
    client.vanish();
    server.gate.decide(1, true);
    EXPECT_EQ(server.server->drain(std::chrono::seconds{20}), 0U);
}

TEST(DeferredHandlers, keep_the_order_of_the_answers) {
    TestServer server;
    RawClient client{server.port()};
    client.send(get("/hello") + get("/later/a") + get("/hello") + get("/later/b") + get("/hello"));
    EXPECT_EQ(client.read().body, "hello");  // does not wait for the next one
    server.mailbox.answer("a", "first");
    EXPECT_EQ(client.read().body, "first");
    EXPECT_EQ(client.read().body, "hello");
    server.mailbox.answer("b", "second");
    EXPECT_EQ(client.read().body, "second");
    EXPECT_EQ(client.read().body, "hello");
}

TEST(DeferredHandlers, wait_for_the_held_answers_before_them) {
    TestServer server;
    RawClient client{server.port()};
    client.send(get("/held/1") + get("/later/a"));
    server.gate.wait_for_waiter(1);
    server.gate.decide(1, true);
    server.mailbox.answer("a", "later");
    EXPECT_EQ(client.read().body, "/held/1");
    EXPECT_EQ(client.read().body, "later");
}

TEST(DeferredHandlers, hold_up_nobody_else) {
    TestServer server{{}, 1};
    RawClient waiting{server.port()};
    waiting.send(get("/later/a"));
    server.mailbox.wait_for("a");
    RawClient other{server.port()};
    other.send(get("/hello"));
    EXPECT_EQ(other.read().body, "hello");
    server.mailbox.answer("a", "done");
    EXPECT_EQ(waiting.read().body, "done");
}

TEST(DeferredHandlers, end_by_themselves_when_their_client_vanishes) {
    TestServer server;
    RawClient client{server.port()};
    client.send(get("/later/a") + get("/later/b"));
    server.mailbox.wait_for("a");
    client.vanish();
    server.mailbox.answer("a", std::string(1 << 20, 'x'));
    EXPECT_EQ(server.server->drain(std::chrono::seconds{20}), 0U);
}

TEST(DeferredHandlers, are_told_when_their_client_leaves) {
    TestServer server{{}, 1};
    RawClient gone{server.port()};
    RawClient ended{server.port()};
    RawClient waiting{server.port()};
    gone.send(get("/later/gone"));
    ended.send(get("/later/ended"));
    waiting.send(get("/hello") + get("/later/waiting"));
    for (const char* const name : {"gone", "ended", "waiting"}) {
        server.mailbox.wait_for(name);
    }
    gone.vanish();
    ended.shut_down_sending();
    EXPECT_TRUE(server.mailbox.is_left_by("gone"));
    EXPECT_TRUE(server.mailbox.is_left_by("ended")) << "it may be that nobody reads the answer";
    server.mailbox.answer_all();
    EXPECT_EQ(waiting.read().body, "hello");
    EXPECT_EQ(waiting.read().status, 200);
    EXPECT_FALSE(server.mailbox.was_left_by("waiting"));
}

TEST(Streams, send_parts_as_chunks_until_the_client_leaves) {
    TestServer server;
    RawClient client{server.port()};
    client.send(get("/ticks"));
    const std::string head = client.read_until("\r\n\r\n");
    EXPECT_NE(head.find("Transfer-Encoding: chunked\r\n"), std::string::npos);
    EXPECT_NE(head.find("Content-Type: text/event-stream\r\n"), std::string::npos);
    EXPECT_EQ(client.read_until("tick\n\r\n"), "5\r\ntick\n\r\n");
    EXPECT_EQ(client.read_until("tick\n\r\n"), "5\r\ntick\n\r\n");
    client.vanish();
    server.wait_for_ended_streams(1);
}

TEST(Streams, are_woken_out_of_a_second_and_no_longer_once_they_are_over) {
    TestServer server;
    RawClient client{server.port()};
    client.send(get("/woken"));
    const auto begin = std::chrono::steady_clock::now();
    for (int part = 0; part < 20; ++part) {
        ASSERT_NE(client.read_until("woken\n\r\n"), "");
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{10});
    client.vanish();
    server.wait_for_ended_streams(1);
    server.settle();
    server.waker()();
    server.settle();
}

TEST(Streams, an_old_client_gets_them_without_chunks) {
    TestServer server;
    RawClient client{server.port()};
    client.send("GET /ticks HTTP/1.0\r\n\r\n");
    EXPECT_EQ(client.read_until("\r\n\r\n").find("Transfer-Encoding"), std::string::npos);
    EXPECT_EQ(client.read_until("tick\n"), "tick\n");
}

TEST(Streams, head_answers_their_header_and_ends) {
    TestServer server;
    RawClient client{server.port()};
    client.send("HEAD /ticks HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_EQ(client.read(true).header("Content-Type"), "text/event-stream");
    EXPECT_TRUE(client.at_end());
    server.wait_for_ended_streams(1);
}

TEST(Streams, a_client_that_does_not_read_is_cut_off) {
    TestServer server{[](ServerOptions& options) {
        options.request_timeout = std::chrono::seconds{1};
    }};
    RawClient client{server.port()};
    client.send(get("/flood"));
    server.wait_for_ended_streams(1);
}

TEST(Timeouts, an_idle_connection_is_closed) {
    TestServer server{[](ServerOptions& options) { options.idle_timeout = std::chrono::seconds{1}; }
    };
    RawClient silent{server.port()};
    RawClient after_an_answer{server.port()};
    after_an_answer.send(get("/hello"));
    EXPECT_EQ(after_an_answer.read().body, "hello");
    EXPECT_TRUE(silent.at_end());
    EXPECT_TRUE(after_an_answer.at_end());
}

TEST(Timeouts, a_request_that_stops_arriving_is_given_up) {
    TestServer server{[](ServerOptions& options) {
        options.request_timeout = std::chrono::seconds{1};
    }};
    RawClient in_header{server.port()};
    in_header.send("GET /hello HT");
    RawClient in_body{server.port()};
    in_body.send(put_head("/echo", 3) + "a");
    EXPECT_TRUE(in_header.at_end());
    EXPECT_TRUE(in_body.at_end());
}

TEST(Timeouts, a_large_answer_may_be_taken_slowly) {
    TestServer server{[](ServerOptions& options) {
        options.request_timeout = std::chrono::seconds{1};
    }};
    RawClient clock{server.port()};
    clock.send(get("/ticks"));
    RawClient client{server.port()};
    client.send(get("/large"));
    client.read_until("\r\n\r\n");
    constexpr std::size_t parts = 8;
    for (std::size_t part = 0; part < parts; ++part) {
        EXPECT_NE(clock.read_until("tick\n"), "");
        EXPECT_TRUE(client.read_bytes(TestServer::large_bytes / parts));
    }
    client.send(get("/hello"));
    EXPECT_EQ(client.read().body, "hello");
}

}  // namespace
}  // namespace footfall::http_server
