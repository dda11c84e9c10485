// What is popular, what trends, and what friends read last, by HTTP.
#include "events/rfc3339.h"
#include "foundation/clock.h"
#include "test_support/bad_request.h"
#include "test_support/eventually.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using namespace std::chrono_literals;
using namespace test_support;

class RankedReading : public RunningServer {
protected:
    void say(const std::string& actor, const std::string& consent) {
        const auto answer = api_.send(Method::put, "/api/v1/people/" + actor, consent);
        ASSERT_EQ(answer.status, 200) << answer.body;
    }

    /// So many people, who share: r0, r1, ..
    void share(int people) {
        std::string lines;
        for (int at = 0; at < people; ++at) {
            lines += fmt::format("{{\"actor\":\"r{}\",\"reading\":\"shared\"}}\n", at);
        }
        ASSERT_EQ(api_.send(Method::post, "/api/v1/people", lines).status, 200);
    }

    /// The first so many of them read it.
    std::string reads(const std::string& url, int people, std::chrono::seconds ago) {
        std::string lines;
        for (int at = 0; at < people; ++at) {
            lines += fmt::format(
                R"({{"action":"read","object":"{}","actor":"r{}","time":"{}"}})"
                "\n",
                url,
                at,
                events::format_rfc3339(SystemClock{}.now() - ago)
            );
        }
        return lines;
    }

    boost::json::object ask(const std::string& target) {
        return api_.get_json("/api/v1/reading/" + target);
    }

    /// "url readers" of each.
    std::vector<std::string> lines_of(const boost::json::object& answer, const char* number) {
        std::vector<std::string> lines;
        for (const auto& each : answer.at("urls").as_array()) {
            lines.push_back(
                std::string{each.at("url").as_string()} + " " +
                boost::json::serialize(each.at(number))
            );
        }
        return lines;
    }

    /// At once on one machine; on a cluster who counts may be behind.
    void expect_soon(
        const std::string& target, const char* number, const std::vector<std::string>& lines
    ) {
        if (!eventually([&] { return lines_of(ask(target), number) == lines; })) {
            EXPECT_EQ(lines_of(ask(target), number), lines) << target;
        }
    }

    void start_again(bool kill) {
        if (kill) {
            server_.kill();
        } else {
            ASSERT_EQ(server_.stop(), 0);
        }
        server_.restart();
        api_ = Api{server_};
    }
};

using Lines = std::vector<std::string>;

const std::string a = "https://a.example/1";
const std::string b = "https://a.example/2";
const std::string c = "https://c.example/1";

TEST_F(RankedReading, popular_of_all_has_who_read_it_last_in_the_window_and_names_nobody) {
    share(7);
    api_.post_events(
        reads(a, 7, 3h) + reads(b, 6, 2min) + reads(c, 5, 2min) +
        reads("https://d.example/", 4, 2min) + reads("HTTP://A.example/2?utm_source=x", 7, 4h)
    );
    for (const bool killed : {false, true}) {
        if (killed) {
            start_again(true);
        }
        expect_soon("popular?window=1h", "readers", {b + " 6", c + " 5"});
        EXPECT_EQ(
            lines_of(ask("popular?window=6h&limit=2"), "readers"), (Lines{a + " 7", b + " 7"})
        );
        EXPECT_EQ(
            lines_of(ask("popular?window=30d&per_site=1"), "readers"), (Lines{a + " 7", c + " 5"})
        );
    }
    const auto answer = ask("popular");
    EXPECT_EQ(answer.at("scope").as_string(), "all");
    EXPECT_EQ(answer.at("window").as_string(), "24h");
    EXPECT_EQ(answer.at("floor").to_number<int>(), 5);
    EXPECT_TRUE(answer.at("complete").as_bool());
    EXPECT_FALSE(answer.at("provisional").as_bool());
    EXPECT_FALSE(answer.at("formula").as_string().empty());
    const auto at = events::parse_rfc3339(answer.at("at").as_string()).value_or(Instant{});
    const auto from = events::parse_rfc3339(answer.at("from").as_string()).value_or(Instant{});
    EXPECT_GE(at - from, 24h);
    EXPECT_LT(at - from, 24h + 15min);
    EXPECT_EQ(from.time_since_epoch() % 15min, 0s);
    EXPECT_EQ(boost::json::serialize(answer).find("r0"), std::string::npos);
    say("r0", R"({"reading":"off"})");
    EXPECT_EQ(lines_of(ask("popular?window=1h"), "readers"), (Lines{b + " 5"}))
        << "who is off is in no number";
    ASSERT_EQ(api_.send(Method::del, "/api/v1/people/r1/reads?all=true").status, 200);
    EXPECT_EQ(lines_of(ask("popular?window=1h"), "readers"), Lines{});
}

TEST_F(RankedReading, among_friends_it_counts_those_who_may_appear_now) {
    share(5);
    say("r4", R"({"reading":"shared","to":"friends"})");
    const auto listed = api_.send(
        Method::put, "/api/v1/people/ann/friends", R"({"friends":["r0","r1","r2","r4","nobody"]})"
    );
    ASSERT_EQ(listed.status, 200);
    api_.post_events(reads(a, 5, 2min) + reads(b, 2, 3h) + reads(c, 1, 2min));
    expect_soon("activity?actor=ann", "count", {a + " 3", c + " 1", b + " 2"});
    const auto popular = [&](const std::string& more = {}) {
        return lines_of(ask("popular?scope=friends&actor=ann" + more), "readers");
    };
    EXPECT_EQ(popular(), (Lines{a + " 3", b + " 2"}));
    EXPECT_EQ(popular("&window=1h"), (Lines{a + " 3"}));
    EXPECT_EQ(ask("popular?scope=friends&actor=ann").at("floor").to_number<int>(), 2);
    EXPECT_EQ(lines_of(ask("popular?scope=friends&actor=stranger"), "readers"), Lines{});
    const auto activity = [&] { return ask("activity?actor=ann"); };
    EXPECT_EQ(
        lines_of(activity(), "readers"),
        (Lines{a + R"( ["r0","r1","r2"])", c + R"( ["r0"])", b + R"( ["r0","r1"])"})
    );
    EXPECT_EQ(lines_of(activity(), "count"), (Lines{a + " 3", c + " 1", b + " 2"}));
    EXPECT_EQ(activity().at("actor").as_string(), "ann");
    EXPECT_FALSE(activity().at("more").as_bool());
    EXPECT_EQ(lines_of(ask("activity?actor=ann&limit=1"), "count"), (Lines{a + " 3"}));
    EXPECT_TRUE(ask("activity?actor=ann&limit=1").at("more").as_bool());
    say("r1", R"({"reading":"off"})");
    const auto taken =
        api_.send(Method::del, "/api/v1/people/r0/reads?url=" + http_server::percent_encode(c));
    ASSERT_EQ(taken.status, 200) << taken.body;
    EXPECT_EQ(popular(), (Lines{a + " 2"})) << "what was counted a moment ago is asked again";
    EXPECT_EQ(lines_of(activity(), "readers"), (Lines{a + R"( ["r0","r2"])", b + R"( ["r0"])"}));
}

TEST_F(RankedReading, what_has_more_readers_than_at_other_times_trends_and_does_after_a_start) {
    share(20);
    std::string lines;
    for (int at = 0; at < 6; ++at) {
        lines += reads(fmt::format("https://old{}.example/", at), 10, 20h);
    }
    api_.post_events(lines + reads(a, 8, 2min) + reads(a, 8, 1min) + reads(c, 4, 2min));
    expect_soon("trending", "readers", {a + " 8"});
    const auto first = ask("trending");
    ASSERT_EQ(lines_of(first, "readers"), (Lines{a + " 8"})) << "a reload is nobody new";
    const auto& formula = first.at("formula").as_object();
    const auto number = [](const boost::json::value& value) { return value.to_number<double>(); };
    const auto& url = first.at("urls").as_array()[0];
    EXPECT_NEAR(number(url.at("fast")), 8, 0.4);
    EXPECT_NEAR(
        number(url.at("expected")),
        number(url.at("slow")) * number(formula.at("fast_total")) /
            number(formula.at("slow_total")),
        1e-6
    );
    EXPECT_NEAR(
        number(url.at("score")),
        (number(url.at("fast")) - number(url.at("expected"))) /
            std::sqrt(number(url.at("expected")) + 1),
        1e-6
    );
    EXPECT_EQ(formula.at("fast_half_life"), 3600);
    EXPECT_EQ(formula.at("slow_half_life"), 86'400);
    for (const bool kill : {true, false}) {
        start_again(kill);
        expect_soon("trending", "readers", {a + " 8"});
        const auto again = ask("trending");
        EXPECT_NEAR(
            number(again.at("formula").at("slow_total")),
            number(formula.at("slow_total")),
            number(formula.at("slow_total")) * 0.02
        ) << "nobody is counted twice";
    }
}

TEST_F(RankedReading, asks_for_the_scope_people_where_it_knows_of_friends) {
    std::map<std::string, std::string> keys;
    const auto with_key = [&](const std::string& key,
                              Method method,
                              const std::string& target,
                              std::string_view body) {
        http_server::Client client = server_.client();
        return must(client.send(method, target, body, {{"Authorization", "Bearer " + keys[key]}}));
    };
    for (const char* name : {"admin", "read", "people", "write"}) {
        const auto made = with_key(
            "admin",
            Method::post,
            "/api/v1/keys",
            fmt::format(R"({{"name":"{0}","scopes":["{0}"]}})", name)
        );
        ASSERT_EQ(made.status, 201) << made.body;
        keys[name] = std::string{parse_object(made.body).at("key").as_string()};
    }
    const auto status = [&](const std::string& key, const std::string& target) {
        return with_key(key, Method::get, "/api/v1/reading/" + target, "").status;
    };
    for (const std::string target : {"popular", "popular?scope=all", "trending"}) {
        EXPECT_EQ(status("read", target), 200) << target;
        EXPECT_EQ(status("people", target), 403) << target;
        EXPECT_EQ(status("write", target), 403) << target;
    }
    for (const std::string target :
         {"popular?scope=friends&actor=u1", "popular?scope=fr%69ends&actor=u1", "activity?actor=u1"
         }) {
        EXPECT_EQ(status("read", target), 403) << target;
        EXPECT_EQ(status("people", target), 200) << target;
    }
}

TEST_F(RankedReading, refuses_questions_that_are_none) {
    const std::string reading = "/api/v1/reading/";
    const std::string long_name(1025, 'n');
    std::vector<Bad> all;
    const auto add = [&](const std::string& target, const char* field, const char* detail) {
        all.push_back(
            {.method = Method::get, .target = reading + target, .field = field, .detail = detail}
        );
    };
    add("popular?window=2h", "window", "24h");
    add("popular?window=", "window", "24h");
    add("popular?scope=me", "scope", "friends");
    add("popular?scope=friends", "actor", "whose");
    add("popular?scope=friends&actor=", "actor", "empty");
    add("popular?scope=friends&actor=%00", "actor", "control");
    add("popular?scope=friends&actor=%ff", "actor", "UTF-8");
    add("popular?scope=friends&actor=" + long_name, "actor", "");
    add("popular?limit=0", "limit", "1000");
    add("popular?limit=1001", "limit", "1000");
    add("popular?limit=ten", "limit", "whole");
    add("popular?per_site=-1", "per_site", "0");
    add("popular?per_site=1001", "per_site", "1000");
    add("popular?from=2026-01-01", "from", "");
    add("trending?limit=0", "limit", "1000");
    add("trending?limit=1001", "limit", "1000");
    add("trending?per_site=many", "per_site", "whole");
    add("trending?window=24h", "window", "");
    add("activity", "actor", "whose");
    add("activity?actor=u1&limit=101", "limit", "100");
    add("activity?actor=u1&limit=0", "limit", "100");
    add("activity?actor=u1&scope=all", "scope", "");
    expect_refused(api_, all, [this] {
        return boost::json::serialize(ask("activity?actor=u1").at("urls"));
    });
}

}  // namespace
}  // namespace footfall
