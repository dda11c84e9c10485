// A job more, in a program of its own (examples/jobs): it counts what a deployment had before it,
// and what comes; killed, it counts nothing twice; other jobs go on as they were.

#include "test_support/eventually.h"
#include "test_support/raw_connection.h"
#include "test_support/run_command.h"
#include "test_support/running_server.h"
#include "test_support/tested_store.h"

#include <boost/json/array.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>

namespace footfall {
namespace {

using namespace test_support;
using testing::HasSubstr;

using Sums = std::map<std::string, std::uint64_t>;

class TallyJob : public RunningServer {
protected:
    void TearDown() override { ::unsetenv("FOOTFALL_BINARY"); }

    /// Events of 3 actions on one object, each of another person.
    void post(int events) {
        std::string lines;
        for (int at = 0; at < events; ++at) {
            const char* const action = at % 6 == 0 ? "sale" : at % 2 == 0 ? "click" : "view";
            lines += fmt::format(
                R"({{"id":"e{0}","action":"{1}","object":"o{2}","actor":"u{0}"}})"
                "\n",
                ++sent_,
                action,
                at % 50
            );
            ++truth_[action];
        }
        api_.post_events(lines);
    }

    /// The program with the tally takes the place of the one that runs.
    void restart_with_tally() {
        ASSERT_EQ(::setenv("FOOTFALL_BINARY", FOOTFALL_WITH_TALLY, 1), 0);
        server_.restart();
        api_ = Api{server_};
    }

    Sums tally() {
        Sums sums;
        const boost::json::object told = api_.get_json("/api/v1/tally?days=1");
        for (const auto& action : told.at("actions").as_array()) {
            sums[action.at("action").as_string().c_str()] =
                action.at("events").to_number<std::uint64_t>();
        }
        return sums;
    }

    void expect_truth() {
        EXPECT_TRUE(eventually([&] { return tally() == truth_; }))
            << testing::PrintToString(tally()) << " in place of " << testing::PrintToString(truth_);
    }

    int sent_ = 0;
    Sums truth_;
};

TEST_F(TallyJob, counts_what_was_there_before_it_and_what_comes_and_nothing_twice) {
    post(600);
    EXPECT_EQ(api_.send(http_server::Method::get, "/api/v1/tally").status, 404);
    EXPECT_EQ(server_.stop(), 0);
    restart_with_tally();
    expect_truth();
    post(300);
    expect_truth();
    server_.kill();
    restart_with_tally();
    expect_truth();
    post(60);
    expect_truth();
    EXPECT_TRUE(eventually([&] { return api_.metric("footfall_tally_rows_written_total") > 0; }));
    EXPECT_TRUE(api_.has_metric("footfall_tally_waiting"));
    EXPECT_TRUE(api_.get_json("/openapi.json").at("paths").as_object().contains("/api/v1/tally"));
    EXPECT_THAT(api_.send(http_server::Method::get, "/tally").body, HasSubstr("<div id=\"app\">"));

    EXPECT_EQ(server_.stop(), 0);
    std::vector<std::string> verify{"verify", "tally"};
    const auto place = place_words(directory_ / "data");
    verify.insert(verify.end(), place.begin(), place.end());
    const CommandResult done = run_footfall(verify);
    EXPECT_EQ(done.exit_code, 0) << done.output << done.errors;
    EXPECT_THAT(done.output, HasSubstr("verified 960 events of "));
    EXPECT_THAT(done.output, HasSubstr(": 0 differences"));
    verify[1] = "views";
    EXPECT_THAT(run_footfall(verify).output, HasSubstr(": 0 differences"));
}

TEST_F(TallyJob, streams_its_sums) {
    EXPECT_EQ(server_.stop(), 0);
    restart_with_tally();
    RawConnection stream{server_.port()};
    stream.send("GET /api/v1/live/tally HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    stream.receive_until([](const std::string& text) { return text.contains("event: hello\n"); });
    post(6);
    const std::string told = stream.receive_until([](const std::string& text) {
        return text.contains(R"({"action":"view","events":3})");
    });
    EXPECT_THAT(told, HasSubstr(R"({"action":"sale","events":1})"));
}

TEST_F(TallyJob, refuses_what_is_no_number_of_days) {
    EXPECT_EQ(server_.stop(), 0);
    restart_with_tally();
    for (const char* const days : {"0", "367", "many", "-1"}) {
        expect_problem(
            api_.send(http_server::Method::get, fmt::format("/api/v1/tally?days={}", days)),
            400,
            "invalid-input",
            "days"
        );
    }
}

}  // namespace
}  // namespace footfall
