#include "cli/batch_sender.h"

#include "cli/event_sink.h"
#include "http_server/server.h"
#include "metrics/metrics.h"
#include "net/gate.h"
#include "runtime/io_threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace footfall::cli {
namespace {

using http_server::Response;
using testing::ElementsAre;

class NoGate final : public net::Gate {
public:
    bool open(std::uint64_t) const override { return true; }

    void when_decided(std::uint64_t, std::move_only_function<void()> decided) override {
        decided();
    }
};

/// A server that gives the answers it was told, one after the other, and keeps what it was sent.
class ScriptedServer {
public:
    explicit ScriptedServer(std::deque<Response> answers) : answers_{std::move(answers)} {
        for (const char* path : {"/api/v1/events", "/api/v1/counter"}) {
            router_.add(
                http_server::Method::post,
                path,
                [this](http_server::Exchange& exchange) -> std::optional<runtime::Task<>> {
                    const std::lock_guard lock{mutex_};
                    bodies_.emplace_back(exchange.request().body);
                    exchange.response() = answers_.empty() ? Response{.status = 404} : answers_[0];
                    answers_.erase(answers_.begin(), answers_.begin() + (answers_.empty() ? 0 : 1));
                    return std::nullopt;
                }
            );
        }
        threads_.start();
        url_.port = server_.start().value();
    }

    ScriptedServer(const ScriptedServer&) = delete;
    ScriptedServer& operator=(const ScriptedServer&) = delete;

    ~ScriptedServer() { threads_.stop(); }

    const http_server::ServerUrl& url() const { return url_; }

    std::vector<std::string> bodies() const {
        const std::lock_guard lock{mutex_};
        return bodies_;
    }

private:
    runtime::IoThreads threads_{1};
    http_server::Router router_;
    NoGate gate_;
    metrics::Metrics metrics_;
    http_server::Server server_{
        threads_,
        router_,
        gate_,
        metrics_,
        {.port = 0, .outcome_unknown = [] { return Response{.status = 503}; }}
    };
    http_server::ServerUrl url_{.host = "127.0.0.1"};
    mutable std::mutex mutex_;
    std::deque<Response> answers_;     // guarded by mutex_
    std::vector<std::string> bodies_;  // guarded by mutex_
};

/// A sender to the scripted server, with what it rejects and how long it waits.
struct Sending {
    explicit Sending(std::deque<Response> answers) : server{std::move(answers)} {}

    Result<void> line(std::string_view json, std::uint64_t source_line) {
        sender.body() += json;
        return sender.end_line(source_line);
    }

    ScriptedServer server;
    std::vector<std::string> rejected;
    std::vector<std::int64_t> pauses;
    BatchSender sender{
        server.url(),
        "/api/v1/events",
        [this](std::uint64_t line, std::string_view reason) {
            rejected.push_back(std::to_string(line) + " " + std::string{reason});
        },
        [this](std::chrono::seconds time) { pauses.push_back(time.count()); }
    };
};

Response busy(int status, const std::string& retry_after = "") {
    Response response{.status = status, .body = R"({"detail":"too much at once"})"};
    if (!retry_after.empty()) {
        response.headers.emplace_back("Retry-After", retry_after);
    }
    return response;
}

TEST(BatchSender, sends_lines_together_and_tells_which_were_not_taken) {
    Sending sending{
        {{.body = R"({"accepted":2,"duplicates":1,"rejected":[{"line":2,"detail":"bad"}]})"},
         {.body = R"({"accepted":1,"rejected":[]})"}}
    };
    EXPECT_TRUE(sending.line("{1}", 3));
    EXPECT_TRUE(sending.line("{2}", 7));
    EXPECT_TRUE(sending.line("{3}", 8));
    EXPECT_TRUE(sending.server.bodies().empty());
    EXPECT_TRUE(sending.sender.finish());
    EXPECT_TRUE(sending.line("{4}", 9));
    EXPECT_TRUE(sending.sender.finish());
    EXPECT_TRUE(sending.sender.finish());
    EXPECT_THAT(sending.server.bodies(), ElementsAre("{1}\n{2}\n{3}\n", "{4}\n"));
    EXPECT_THAT(sending.rejected, ElementsAre("7 bad"));
    EXPECT_EQ(sending.sender.accepted(), 3U);
    EXPECT_EQ(sending.sender.duplicates(), 1U);
}

TEST(BatchSender, a_batch_is_bounded_in_lines_and_in_bytes) {
    const Response taken{.body = R"({"accepted":0,"rejected":[]})"};
    Sending sending{{taken, taken, taken}};
    for (std::size_t line = 0; line < BatchSender::lines_max; ++line) {
        EXPECT_TRUE(sending.line("{}", line));
    }
    EXPECT_EQ(sending.server.bodies().size(), 1U);
    EXPECT_TRUE(sending.line(std::string(BatchSender::bytes_max, ' '), 1));
    EXPECT_EQ(sending.server.bodies().size(), 2U);
    EXPECT_TRUE(sending.line("{}", 2));
    EXPECT_EQ(sending.server.bodies().size(), 2U);
}

TEST(BatchSender, asks_a_busy_server_again_when_it_says) {
    Sending sending{
        {busy(503, "3"),
         busy(429),
         busy(503, "0"),
         busy(503, "99999999999"),
         busy(503, "tomorrow"),
         {.body = R"({"accepted":1,"rejected":[]})"}}
    };
    EXPECT_TRUE(sending.line("{1}", 1));
    EXPECT_TRUE(sending.sender.finish());
    EXPECT_THAT(sending.server.bodies(), testing::Each("{1}\n"));
    EXPECT_THAT(sending.pauses, ElementsAre(3, 1, 1, 10, 1));
    EXPECT_EQ(sending.sender.accepted(), 1U);
}

TEST(BatchSender, gives_up_on_a_server_that_stays_busy) {
    Sending sending{std::deque<Response>(100, busy(503, "10"))};
    EXPECT_TRUE(sending.line("{1}", 1));
    const auto sent = sending.sender.finish();
    ASSERT_FALSE(sent);
    EXPECT_EQ(sent.error().kind, ErrorKind::unavailable);
    EXPECT_EQ(sent.error().message, "the server answered 503: too much at once");
    EXPECT_EQ(sending.pauses.size(), 6U);
}

TEST(BatchSender, what_is_no_answer_to_a_batch_ends_the_import) {
    const std::pair<Response, ErrorKind> cases[] = {
        {{.status = 400, .body = "no"}, ErrorKind::invalid_input},
        {{.status = 403, .body = "no"}, ErrorKind::unavailable},
        {{.status = 500, .body = "no"}, ErrorKind::unavailable},
        {{.body = "hello"}, ErrorKind::unavailable},
        {{.body = "[]"}, ErrorKind::unavailable},
        {{.body = R"({"accepted":1})"}, ErrorKind::unavailable},
        {{.body = R"({"accepted":"1","rejected":[]})"}, ErrorKind::unavailable},
        {{.body = R"({"accepted":1,"rejected":[7]})"}, ErrorKind::unavailable},
        {{.body = R"({"accepted":1,"rejected":[{"line":1}]})"}, ErrorKind::unavailable},
        {{.body = R"({"accepted":1,"rejected":{}})"}, ErrorKind::unavailable},
    };
    for (const auto& [answer, kind] : cases) {
        Sending sending{{answer}};
        EXPECT_TRUE(sending.line("{1}", 1));
        const auto sent = sending.sender.finish();
        ASSERT_FALSE(sent) << answer.body;
        EXPECT_EQ(sent.error().kind, kind) << sent.error().message;
        EXPECT_TRUE(sending.pauses.empty());
    }
}

TEST(BatchSender, events_are_sent_without_the_time_that_nobody_gave) {
    ScriptedServer server{{{.body = R"({"accepted":2,"duplicates":1,"rejected":[]})"}}};
    const auto sink = make_server_event_sink(server.url(), [](std::uint64_t, std::string_view) {});
    const events::Event event{
        .id = "7", .time_given = false, .action = "view", .object = "a", .actor = "u"
    };
    EXPECT_TRUE(sink->put({.line = 1, .event = event}));
    EXPECT_TRUE(sink->put({.line = 2, .event = event}));
    EXPECT_TRUE(sink->finish());
    const std::string line = R"({"id":"7","action":"view","object":"a","actor":"u"})";
    EXPECT_THAT(server.bodies(), ElementsAre(line + "\n" + line + "\n"));
    EXPECT_EQ(sink->imported(), 1U);
    EXPECT_EQ(sink->duplicates(), 1U);
}

}  // namespace
}  // namespace footfall::cli
