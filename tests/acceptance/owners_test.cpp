// A process that counts and one that answers, on a real cluster (./test cluster).

#include "foundation_testing/temporary_directory.h"
#include "test_support/api.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/live_stream.h"
#include "test_support/raw_connection.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>

namespace footfall {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;
using namespace test_support;

class Owners : public testing::Test {
protected:
    FootfallProcess start(const std::string& roles, const std::string& name) {
        return FootfallProcess{directory_ / "data", {"--roles", roles, "--instance", name}};
    }

    /// Sends an event by another person each time.
    void see(const std::string& object) {
        const std::string event =
            fmt::format(R"({{"action":"view","object":"{}","actor":"a{}"}})", object, ++actors_);
        auto client = counting_.client();
        const auto answer = client.send(
            http_server::Method::post,
            "/api/v1/events",
            event,
            {{"Content-Type", "application/json"}}
        );
        ASSERT_TRUE(answer) << answer.error().message;
        ASSERT_EQ(answer->status, 200) << answer->body;
    }

    static bool is_provisional(const boost::json::object& views) {
        return views.at("provisional").as_bool();
    }

    static std::uint64_t events(const boost::json::object& views) {
        return views.at("events").to_number<std::uint64_t>();
    }

    TemporaryDirectory directory_;
    FootfallProcess counting_ = start("collect,guard,project", "counts");
    FootfallProcess answering_ = start("query", "answers");
    Api api_{answering_};
    int actors_ = 0;
};

TEST_F(Owners, what_was_counted_is_told_before_it_is_written) {
    constexpr std::uint64_t rounds = 20;
    see("page");
    ASSERT_TRUE(eventually([&] { return events(api_.views("page")) == 1; }));
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint64_t seen = 2; seen <= rounds; ++seen) {
        see("page");
        ASSERT_TRUE(eventually([&] { return events(api_.views("page")) == seen; }));
    }
    const auto took = std::chrono::steady_clock::now() - begin;
    const auto each = std::chrono::duration_cast<std::chrono::milliseconds>(took) / (rounds - 1);
    fmt::print("an event is told by another process after {} ms\n", each.count());
    EXPECT_LT(each, 1s) << "rows are written a second after what they say";
    const boost::json::object views = api_.views("page");
    EXPECT_FALSE(is_provisional(views));
    EXPECT_TRUE(views.at("age").is_null());
    EXPECT_EQ(views.at("people").to_number<std::uint64_t>(), rounds);
    EXPECT_GT(api_.metric(R"(footfall_owner_answers_total{outcome="answered"})"), rounds);
    const boost::json::object all = api_.get_json("/api/v1/views");
    EXPECT_EQ(events(all), rounds);
    EXPECT_FALSE(is_provisional(all));
    EXPECT_TRUE(eventually([&] {
        const auto top = api_.get_json("/api/v1/top");
        return top.at("objects").as_array().size() == 1 && !is_provisional(top);
    }));
}

TEST_F(Owners, without_its_owner_it_is_provisional_and_as_old_as_its_rows) {
    see("page");
    ASSERT_TRUE(eventually([&] { return events(api_.views("page")) == 1; }));
    Api counting{counting_};
    ASSERT_TRUE(eventually([&] { return counting.metric("footfall_view_unsaved") == 0; }));
    counting_.kill();
    boost::json::object views = api_.views("page");
    EXPECT_EQ(events(views), 1U);
    EXPECT_TRUE(is_provisional(views));
    ASSERT_TRUE(views.at("age").is_number());
    const double age = views.at("age").to_number<double>();
    EXPECT_TRUE(eventually([&] {
        return api_.views("page").at("age").to_number<double>() > age + 1;
    })) << "it grows older";
    EXPECT_TRUE(is_provisional(api_.get_json("/api/v1/top")));
    counting_.restart();
    ASSERT_TRUE(eventually([&] { return !is_provisional(api_.views("page")); }));
    see("page");
    EXPECT_TRUE(eventually([&] { return events(api_.views("page")) == 2; }));
}

TEST_F(Owners, what_trends_and_what_is_hot_is_told_by_another_process) {
    for (int seen = 0; seen < 6; ++seen) {
        see("page");
    }
    const auto total = [](const boost::json::object& trending) {
        return trending.at("formula").at("fast_total").to_number<double>();
    };
    ASSERT_TRUE(eventually([&] { return total(api_.get_json("/api/v1/trending")) > 5.9; }));
    EXPECT_FALSE(is_provisional(api_.get_json("/api/v1/trending")));
    const auto hot = api_.get_json("/api/v1/hot");
    EXPECT_FALSE(is_provisional(hot));
    EXPECT_EQ(hot.at("objects").at(0).at("object").as_string(), "page");
    Api counting{counting_};
    ASSERT_TRUE(eventually([&] { return counting.metric("footfall_view_trends_written_total") > 0; }
    ));
    counting_.kill();
    const auto stored = api_.get_json("/api/v1/trending");
    EXPECT_TRUE(is_provisional(stored));
    EXPECT_TRUE(stored.at("age").is_number());
    EXPECT_GT(total(stored), 0);
    EXPECT_TRUE(is_provisional(api_.get_json("/api/v1/hot")));
}

TEST_F(Owners, rules_are_told_as_those_who_judge_have_them) {
    const std::string file = directory_ / "rules.toml";
    std::ofstream{file} << "[[rule]]\nname = \"only_this\"\nkind = \"repeat\"\nwindow = \"5s\"\n";
    FootfallProcess judging{
        directory_ / "data", {"--roles", "guard", "--instance", "judges", "--rules", file}
    };
    FootfallProcess telling = start("query", "tells");
    for (int start = 0; start < 2; ++start) {
        const auto told = Api{telling}.get_json("/api/v1/rules");
        EXPECT_EQ(told.at("version").as_string(), "2") << "1 were the standard ones";
        ASSERT_EQ(told.at("rules").as_array().size(), 1U);
        EXPECT_EQ(told.at("rules").at(0).at("name").as_string(), "only_this");
        judging.kill();
        telling.kill();
        judging.restart();
        telling.restart();
    }
}

TEST_F(Owners, a_process_says_whose_work_it_is) {
    const auto sent = answering_.client().send(
        http_server::Method::post,
        "/api/v1/events",
        R"({"object":"page","action":"view"})",
        {{"Content-Type", "application/json"}}
    );
    ASSERT_TRUE(sent) << sent.error().message;
    EXPECT_EQ(sent->status, 421);
    EXPECT_NE(sent->body.find("the role collect"), std::string::npos) << sent->body;
    const auto asked = counting_.client().send(http_server::Method::get, "/api/v1/views", "", {});
    ASSERT_TRUE(asked) << asked.error().message;
    EXPECT_EQ(asked->status, 421);
    EXPECT_NE(asked->body.find("the role query"), std::string::npos) << asked->body;
}

TEST_F(Owners, live_streams_come_from_whoever_answers) {
    RawConnection stream{answering_.port()};
    stream.send("GET /api/v1/live/views?object=page HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    const auto comes = [&](const std::string& text, const std::string& or_that = "\n\n\n") {
        const auto has = [&](const std::string& all) {
            return all.find(text) != std::string::npos || all.find(or_that) != std::string::npos;
        };
        return has(stream.receive_until(has));
    };
    ASSERT_TRUE(comes("event: report"));
    EXPECT_TRUE(comes(R"("takes_events":false)"));
    EXPECT_TRUE(comes(R"("events":0,)"));
    see("page");
    see("another");
    EXPECT_TRUE(comes("event: events"));
    EXPECT_TRUE(comes(R"("events":1,"counted":1,)"));
    EXPECT_TRUE(comes(R"("counted":2,"refused":0})", R"("counted":1,"refused":0})"))
        << "in one second, or in two";
    see("page");
    EXPECT_TRUE(comes(R"("events":2,"counted":2,)")) << "nothing is lost between two reports";
}

TEST_F(Owners, live_clicks_are_those_that_others_judge) {
    LiveStream stream{answering_, "/api/v1/live/clicks?reseller=r1"};
    Api counting{counting_};
    for (const char* const reseller : {"r1", "r2"}) {
        counting.post_events(fmt::format(
            R"({{"action":"click","object":"/a","actor":"{}","reseller":"{}"}})", reseller, reseller
        ));
    }
    const auto counted = [](const std::string& text) {
        return sum(LiveStream::events(text, "second"), "counted");
    };
    EXPECT_EQ(
        counted(stream.read_until([&](const std::string& text) { return counted(text) > 0; })), 1U
    );
}

TEST_F(Owners, answer_nobody_else) {
    Api counting{counting_};
    const auto answer = counting.send(http_server::Method::post, "/internal/v1/owners", "x");
    EXPECT_EQ(answer.status, 403);
    EXPECT_THAT(answer.body, HasSubstr("proof-required"));
    EXPECT_EQ(api_.send(http_server::Method::post, "/internal/v1/owners", "x").status, 404)
        << "it owns nothing";
}

}  // namespace
}  // namespace footfall
