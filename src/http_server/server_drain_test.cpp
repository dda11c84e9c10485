// How a server ends, and that nothing it leaves behind uses what is gone.
#include "http_server/server_test_parts.h"

#include <boost/asio/post.hpp>

#include <future>
#include <memory>
#include <string>
#include <thread>

namespace footfall::http_server {
namespace {

using testing::get;
using testing::put_head;
using testing::RawClient;
using testing::TestServer;
using namespace std::chrono_literals;

/// Drains on another thread; returns once draining has begun, which an idle connection of the one
/// io thread shows.
std::future<std::size_t> begin_drain(TestServer& server) {
    RawClient idle{server.port()};
    idle.send(get("/hello"));
    EXPECT_EQ(idle.read().status, 200);
    auto drained = std::async(std::launch::async, [&server] { return server.server->drain(20s); });
    EXPECT_TRUE(idle.at_end());
    return drained;
}

TEST(Drain, ends_idle_connections_at_once) {
    TestServer server;
    RawClient fresh{server.port()};
    RawClient used{server.port()};
    used.send(get("/hello"));
    EXPECT_EQ(used.read().body, "hello");
    EXPECT_EQ(server.server->drain(20s), 0U);
    EXPECT_TRUE(used.at_end());
}

TEST(Drain, accepts_no_more) {
    TestServer server;
    EXPECT_EQ(server.server->drain(20s), 0U);
    runtime::IoThreads threads{1};
    const Router router;
    Server next{
        threads, router, server.gate, server.metrics, {.port = server.port(), .outcome_unknown = {}}
    };
    EXPECT_EQ(next.start().value_or(std::uint16_t{0}), server.port());
}

TEST(Drain, lets_a_running_request_finish) {
    TestServer server{{}, 1};
    RawClient client{server.port()};
    client.send(get("/later/a"));
    server.mailbox.wait_for("a");
    auto drained = begin_drain(server);
    server.mailbox.answer("a", "finished");
    const testing::Answer answer = client.read();
    EXPECT_EQ(answer.body, "finished");
    EXPECT_EQ(answer.header("Connection"), "close");
    EXPECT_TRUE(client.at_end());
    EXPECT_EQ(drained.get(), 0U);
}

TEST(Drain, lets_a_request_that_has_begun_arrive) {
    TestServer server{{}, 1};
    RawClient client{server.port()};
    client.send(put_head("/echo", 3, "Expect: 100-continue\r\n"));
    EXPECT_NE(client.read_until("\r\n\r\n"), "");
    auto drained = begin_drain(server);
    client.send("abc");
    EXPECT_EQ(client.read().body, "abc");
    EXPECT_TRUE(client.at_end());
    EXPECT_EQ(drained.get(), 0U);
}

/// The bytes are read by the time draining begins, but their turn on the thread comes behind it.
/// Should the thread that drains be too slow, the test passes without having shown anything.
TEST(Drain, lets_a_request_arrive_whose_beginning_was_read_a_moment_ago) {
    TestServer server{{}, 1};
    RawClient client{server.port()};
    client.send(get("/held/1"));
    server.gate.wait_for_waiter(1);
    std::promise<void> go_on;
    boost::asio::post(server.threads.context(0), [&] { go_on.get_future().wait(); });
    server.gate.decide(1, true);
    client.send(put_head("/echo", 3));
    std::promise<void> begins;
    auto drained = std::async(std::launch::async, [&] {
        begins.set_value();
        return server.server->drain(20s);
    });
    begins.get_future().wait();
    for (int turn = 0; turn < 1000; ++turn) {
        std::this_thread::yield();
    }
    go_on.set_value();
    EXPECT_EQ(client.read().body, "/held/1");
    client.send("abc");
    EXPECT_EQ(client.read().body, "abc");
    EXPECT_TRUE(client.at_end());
    EXPECT_EQ(drained.get(), 0U);
}

TEST(Drain, loses_no_held_answer) {
    TestServer server{{}, 1};
    RawClient client{server.port()};
    client.send(get("/held/1"));
    server.gate.wait_for_waiter(1);
    auto drained = begin_drain(server);
    server.gate.decide(1, true);
    EXPECT_EQ(client.read().body, "/held/1");
    EXPECT_TRUE(client.at_end());
    EXPECT_EQ(drained.get(), 0U);
}

TEST(Drain, loses_no_answer_that_is_still_being_taken) {
    TestServer server{{}, 1};
    RawClient client{server.port()};
    client.send(get("/large"));
    EXPECT_NE(client.read_until("\r\n\r\n"), "");
    auto drained = begin_drain(server);
    EXPECT_TRUE(client.read_bytes(TestServer::large_bytes));
    EXPECT_TRUE(client.at_end());
    EXPECT_EQ(drained.get(), 0U);
}

TEST(Drain, ends_streams_at_once) {
    TestServer server;
    RawClient client{server.port()};
    client.send(get("/ticks"));
    EXPECT_NE(client.read_until("tick\n\r\n"), "");
    EXPECT_NE(client.read_until("tick\n\r\n"), "");  // the next one is due in a second
    EXPECT_EQ(server.server->drain(700ms), 0U);
    EXPECT_EQ(client.read_until("\r\n\r\n"), "0\r\n\r\n");
    EXPECT_TRUE(client.at_end());
}

TEST(Drain, cuts_off_what_outlasts_its_patience) {
    TestServer server;
    RawClient client{server.port()};
    client.send(get("/later/a"));
    server.mailbox.wait_for("a");
    EXPECT_EQ(server.server->drain(10ms), 1U);
    EXPECT_TRUE(client.at_end());
}

TEST(Drain, a_stream_nobody_reads_is_cut_off) {
    TestServer server;
    RawClient client{server.port()};
    client.send(get("/flood"));
    EXPECT_NE(client.read_until("\r\n\r\n"), "");
    EXPECT_EQ(server.server->drain(10ms), 1U);
    server.wait_for_ended_streams(1);
}

TEST(Lifetime, a_handler_may_end_after_its_server_is_gone) {
    TestServer server;
    RawClient client{server.port()};
    client.send(get("/later/a") + get("/hello"));
    server.mailbox.wait_for("a");
    EXPECT_EQ(server.server->drain(0ms), 1U);
    server.server.reset();
    server.mailbox.answer("a", "too late");
    server.settle();
    EXPECT_TRUE(client.at_end());
}

TEST(Lifetime, threads_may_stop_with_connections_in_every_state) {
    for (const bool server_first : {true, false}) {
        TestServer server;
        RawClient idle{server.port()};
        RawClient streaming{server.port()};
        streaming.send(get("/ticks"));
        EXPECT_NE(streaming.read_until("tick\n"), "");
        RawClient waiting{server.port()};
        waiting.send(get("/later/a"));
        server.mailbox.wait_for("a");
        RawClient held{server.port()};
        held.send(get("/held/1"));
        server.gate.wait_for_waiter(1);
        RawClient writing{server.port()};
        writing.send(get("/large"));
        EXPECT_NE(writing.read_until("\r\n\r\n"), "");
        RawClient reading{server.port()};
        reading.send("GET /he");
        if (server_first) {
            server.server.reset();
        }
    }
}

}  // namespace
}  // namespace footfall::http_server
