#include "test_support/eventually.h"
#include "test_support/raw_connection.h"
#include "test_support/run_command.h"
#include "test_support/running_server.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <string>
#include <vector>

namespace footfall {
namespace {

using std::chrono::steady_clock;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using namespace std::chrono_literals;
using namespace test_support;

CommandResult serve(std::vector<std::string> words) {
    words.insert(words.begin(), "serve");
    return run_footfall(std::move(words));
}

TEST(ServeCommand, on_a_taken_port_names_it_and_exits_1) {
    const TemporaryDirectory directory;
    const TakenPort taken;
    const std::string port = std::to_string(taken.port());
    const auto done = serve({"--listen", "127.0.0.1:" + port, "--data", directory / "data"});
    EXPECT_EQ(done.exit_code, 1);
    EXPECT_THAT(done.errors, AllOf(HasSubstr(port), HasSubstr("--listen")));
}

TEST(ServeCommand, does_not_share_a_port_with_another_server) {
    const TemporaryDirectory directory;
    const FootfallProcess first{directory / "first"};
    const std::string port = std::to_string(first.port());
    const auto done = serve({"--listen", "127.0.0.1:" + port, "--data", directory / "second"});
    EXPECT_EQ(done.exit_code, 1);
    EXPECT_THAT(done.errors, HasSubstr(port));
}

TEST(ServeCommand, on_a_directory_in_use_says_how_to_go_on) {
    const TemporaryDirectory directory;
    const FootfallProcess first{directory / "data"};
    const auto done = serve({"--listen", "127.0.0.1:0", "--data", directory / "data"});
    EXPECT_EQ(done.exit_code, 1);
    EXPECT_THAT(
        done.errors, AllOf(HasSubstr("in use"), HasSubstr(directory / "data"), HasSubstr("--data"))
    );
}

TEST(ServeCommand, names_the_line_of_a_mistake_in_its_configuration) {
    const TemporaryDirectory directory;

    const struct {
        const char* text;
        const char* place;
        const char* word;
    } cases[] = {
        {"data = \"d\"\nlissten = \"127.0.0.1:1\"\n", ":2:", "lissten"},
        {"listen = \"nowhere\"\n", ":1:", "nowhere"},
        {"\n\n[[counter]]\nname = \"a\"\nlimits = 3\n", ":5:", "limits"},
        {"[[counter]]\nname = \"a\"\nttl = \"soon\"\n", ":3:", "ttl"},
        {"[[counter]]\nname = \"a\"\nttl = 0\n", ":", "ttl"},
        {"[[counter]]\nname = \"a\"\n[[counter]]\nname = \"a\"\n", ":3:", "two counters"},
        {"listen = \n", ":1:", ""},
    };

    for (const auto& [text, place, word] : cases) {
        const std::string file = directory.write("footfall.toml", text);
        SCOPED_TRACE(text);
        const auto done = serve({"--config", file, "--data", directory / "data"});
        EXPECT_EQ(done.exit_code, 2);
        EXPECT_THAT(done.errors, AllOf(HasSubstr(file + place), HasSubstr(word)));
    }
    const auto missing = serve({"--config", directory / "missing.toml"});
    EXPECT_EQ(missing.exit_code, 2);
    EXPECT_THAT(missing.errors, HasSubstr("missing.toml"));
}

class Serving : public RunningServer {};

TEST_F(Serving, sigterm_ends_it_with_0_also_while_streams_are_open) {
    RawConnection idle{server_.port()};
    RawConnection stream{server_.port()};
    stream.send("GET /api/v1/live/counters HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    ASSERT_THAT(
        stream.receive_until([](const std::string& all) { return all.contains("event: hello"); }),
        HasSubstr("event: hello")
    );
    const auto start = steady_clock::now();
    EXPECT_EQ(server_.stop(), 0);
    EXPECT_LT(steady_clock::now() - start, 10s);
    stream.receive_all();
    EXPECT_TRUE(stream.closed_by_peer());
}

TEST_F(Serving, sigterm_ends_it_within_10_s_also_while_a_request_never_comes_to_its_end) {
    RawConnection slow{server_.port()};
    slow.send("PUT /api/v1/counter/a HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\nhalf"
    );
    const auto start = steady_clock::now();
    EXPECT_EQ(server_.stop(), 0);
    EXPECT_LT(steady_clock::now() - start, 12s);
}

TEST_F(Serving, a_request_begun_before_sigterm_is_answered_and_ready_says_no) {
    // Both were taken in before the signal: each io thread has a queue of its own of connections
    // that it has not, and those are lost.
    const auto taken_in = [](RawConnection& connection) {
        connection.send("GET /healthz/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
        const auto answered = [](const std::string& answer) { return answer.ends_with("\n"); };
        EXPECT_THAT(connection.receive_until(answered), StartsWith("HTTP/1.1 200 "));
    };
    RawConnection begun{server_.port()};
    taken_in(begun);
    begun.send("PUT /api/v1/counter/a HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\nto");
    RawConnection asking{server_.port()};
    taken_in(asking);
    asking.send("GET /healthz/ready HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half:");
    server_.process().send_signal(SIGTERM);
    ASSERT_TRUE(eventually([&] { return server_.process().errors().contains("stopping"); }));
    EXPECT_TRUE(eventually([&] { return is_free(server_.port()); }));
    asking.send(" yes\r\n\r\n");
    EXPECT_THAT(
        asking.receive_all(), AllOf(HasSubstr("live\nHTTP/1.1 503 "), HasSubstr("draining"))
    );
    begun.send("ken");
    EXPECT_THAT(
        begun.receive_all(), AllOf(HasSubstr("live\nHTTP/1.1 200 "), HasSubstr("Connection: close"))
    );
    EXPECT_EQ(server_.process().wait(10s).exit_code, 0);
    server_.restart();
    EXPECT_EQ(Api{server_}.put("a", "token"), 1U);
}

TEST_F(Serving, sigint_ends_it_too) {
    server_.process().send_signal(SIGINT);
    EXPECT_EQ(server_.process().wait(10s).exit_code, 0);
}

TEST(ServeCommand, on_an_address_for_others_says_that_they_need_a_key) {
    const TemporaryDirectory directory;
    const std::string data = directory / "data";
    const auto errors_at_start = [&](const char* address) {
        ChildProcess server{footfall_command({"serve", "--listen", address, "--data", data})};
        EXPECT_TRUE(eventually([&] { return server.output().ends_with(")\n"); }));
        server.send_signal(SIGTERM);
        EXPECT_EQ(server.wait(15s).exit_code, 0);
        return server.errors();
    };
    EXPECT_THAT(
        errors_at_start("0.0.0.0:0"),
        AllOf(HasSubstr("listening on 0.0.0.0"), HasSubstr("keys add"))
    );
    EXPECT_THAT(errors_at_start("127.0.0.1:0"), testing::Not(HasSubstr("keys add")));
    ASSERT_EQ(run_footfall({"keys", "add", "a", "--scope", "read", "--data", data}).exit_code, 0);
    EXPECT_THAT(errors_at_start("0.0.0.0:0"), testing::Not(HasSubstr("keys add")));
}

}  // namespace
}  // namespace footfall
