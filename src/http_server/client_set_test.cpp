#include "http_server/client_set.h"

#include "http_server/server_test_parts.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace footfall::http_server {
namespace {

using namespace std::chrono_literals;
using testing::TestServer;

Post echo(std::uint16_t port, const std::string& body) {
    return {.address = "127.0.0.1", .port = port, .target = "/echo", .body = body};
}

/// Long enough for any machine: nothing here waits for it.
constexpr std::chrono::milliseconds patience{20'000};

TEST(ClientSet, asks_several_servers_and_answers_in_the_order_asked) {
    const TestServer one;
    const TestServer other;
    ClientSet clients;
    for (int round = 0; round < 3; ++round) {
        const auto answers =
            clients.send({echo(other.port(), "b"), echo(one.port(), "a")}, patience);
        ASSERT_EQ(answers.size(), 2U);
        ASSERT_TRUE(answers[0]) << answers[0].error().message;
        ASSERT_TRUE(answers[1]);
        EXPECT_EQ(answers[0]->body, "b");
        EXPECT_EQ(answers[1]->body, "a");
    }
    EXPECT_EQ(clients.send({}, patience).size(), 0U);
}

TEST(ClientSet, who_is_silent_or_away_keeps_nobody_else_from_an_answer) {
    TestServer server;
    std::uint16_t gone = 0;
    {
        const TestServer short_lived;
        gone = short_lived.port();
    }
    TestServer silent;
    ClientSet clients;
    const auto answers = clients.send(
        {{.address = "127.0.0.1", .port = silent.port(), .target = "/later/never", .body = "x"},
         echo(gone, "gone"),
         echo(server.port(), "here"),
         {.address = "no number", .port = 1, .target = "/", .body = ""}},
        300ms
    );
    EXPECT_EQ(answers[0].error().kind, ErrorKind::timed_out);
    EXPECT_EQ(answers[1].error().kind, ErrorKind::unavailable);
    ASSERT_TRUE(answers[2]);
    EXPECT_EQ(answers[2]->body, "here");
    EXPECT_EQ(answers[3].error().kind, ErrorKind::unavailable);
    // What came too late is not the next one's answer.
    silent.mailbox.wait_for("never");
    silent.mailbox.answer("never", "late");
    const auto next = clients.send({echo(silent.port(), "next")}, patience);
    ASSERT_TRUE(next[0]);
    EXPECT_EQ(next[0]->body, "next");
}

TEST(ClientSet, a_connection_that_was_closed_meanwhile_is_opened_again) {
    ClientSet clients;
    std::uint16_t port = 0;
    {
        const TestServer first;
        port = first.port();
        ASSERT_TRUE(clients.send({echo(port, "one")}, patience)[0]);
    }
    const TestServer second{[port](ServerOptions& options) { options.port = port; }};
    ASSERT_EQ(second.port(), port);
    const auto answers = clients.send({echo(port, "two")}, patience);
    ASSERT_TRUE(answers[0]) << answers[0].error().message;
    EXPECT_EQ(answers[0]->body, "two");
}

TEST(ClientSet, brings_large_bodies_both_ways) {
    const TestServer server;
    ClientSet clients;
    const std::string large(3 << 20, 'x');
    const auto answers = clients.send({echo(server.port(), large)}, patience);
    ASSERT_TRUE(answers[0]) << answers[0].error().message;
    EXPECT_EQ(answers[0]->body, large);
}

}  // namespace
}  // namespace footfall::http_server
