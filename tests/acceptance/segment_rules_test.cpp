// Segments that fill themselves, by what their people do.
#include "segments_server.h"
#include "test_support/deeds.h"
#include "test_support/eventually.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using namespace test_support;
using http_server::Method;
using testing::HasSubstr;

class SegmentRules : public SegmentsServer {
protected:
    http_server::ClientResponse put(const std::string& name, const std::string& rule) {
        return api_.send(Method::put, segment_path(name), R"({"rule":)" + rule + "}");
    }

    void put_well(const std::string& name, const std::string& rule) {
        const auto answer = put(name, rule);
        ASSERT_EQ(answer.status, 200) << answer.body;
    }

    void expect_in_force(const std::string& name) {
        std::string last;
        EXPECT_TRUE(eventually([&] {
            last = api_.send(Method::get, segment_path(name)).body;
            return last.contains(R"("rule_in_force":true)");
        })) << last;
    }

    /// So many people, and by changes replayed these actors.
    void expect_people(
        const std::string& name,
        const std::pair<std::size_t, std::set<std::string>>& expected,
        std::chrono::seconds patience
    ) {
        const auto& [people, ids] = expected;
        EXPECT_GT(people, 0) << "nothing is compared";
        std::string last;
        EXPECT_TRUE(eventually(
            [&] {
                last = api_.send(Method::get, segment_path(name)).body;
                return last.contains(fmt::format(R"("people":{},)", people)) &&
                       last.contains(R"("rule_in_force":true)");
            },
            patience,
            std::chrono::milliseconds{20}
        )) << name
           << " has not " << people << ": " << last;
        std::set<std::string> told;
        std::uint64_t after = 0;
        for (bool more = true; more;) {
            const auto answer = api_.get_json(
                segment_path(name, fmt::format("/changes?limit=10000&after={}", after))
            );
            for (const auto& each : answer.at("changes").as_array()) {
                const std::string id{each.at("id_value").as_string()};
                EXPECT_TRUE(
                    each.at("change") == "joined" ? told.insert(id).second : told.erase(id) == 1
                );
            }
            after = answer.at("next").to_number<std::uint64_t>();
            more = answer.at("more").as_bool();
        }
        EXPECT_EQ(told, ids) << name;
        fmt::print("{}: {} people, {} ids\n", name, people, ids.size());
    }

    void unite_actors(const std::string& one, const std::string& other) {
        const auto id = [](const std::string& actor) {
            return fmt::format(
                R"({{"identifier":"footfall","id_name":"actor","id_value":"{}"}})", actor
            );
        };
        const auto answer = api_.send(
            Method::post,
            "/api/v1/identities/match",
            fmt::format(R"({{"ids":[{},{}]}})", id(one), id(other))
        );
        EXPECT_EQ(answer.status, 200) << answer.body;
    }

    void expect_verified() {
        server_.stop();
        const CommandResult verified =
            run_footfall({"verify", "segments", "--data", directory_ / "data"});
        EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
    }

    /// An event of an actor, some seconds ago.
    void send_event(
        const std::string& id,
        const std::string& actor,
        const std::string& action,
        const std::string& object,
        int seconds_ago = 0
    ) {
        const auto time = fmt::gmtime(
            std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()) - seconds_ago
        );
        const auto answer = api_.send(
            Method::post,
            "/api/v1/events",
            fmt::format(
                R"([{{"id":"{}","time":"{:%FT%TZ}","action":"{}","object":"{}","actor":"{}"}}])",
                id,
                time,
                action,
                object,
                actor
            )
        );
        EXPECT_LT(answer.status, 300) << answer.body;
    }
};

TEST_F(SegmentRules, who_clicked_twice_is_in_it_also_before_the_rule_and_as_one_person) {
    // Soon after each other they would be a repeat, which does not count.
    send_event("e1", "ann", "click", "x", 172'800);
    send_event("e2", "ann", "click", "x", 7'200);
    send_event("e3", "phone", "click", "x", 7'200);
    put_well("keen", R"({"event":{"action":"click","object":"x","times":2,"within":"30d"}})");
    expect_size("keen", 1);
    expect_in_force("keen");
    // The same again, and of something else: nothing new. Late, and of another id: somebody.
    send_event("e3", "phone", "click", "x", 7'200);
    send_event("e4", "phone", "click", "y");
    send_event("e5", "late", "click", "x", 86'400);
    send_event("e6", "late", "click", "x");
    send_event("e7", "laptop", "click", "x");
    expect_size("keen", 2);
    unite_actors("phone", "laptop");
    expect_size("keen", 3);
    const auto member = segment_path("keen", "/members/footfall/actor/");
    EXPECT_THAT(
        api_.send(Method::get, member + "laptop").body, HasSubstr(R"("person":true,"member":false)")
    );
    server_.kill();
    server_ = FootfallProcess{directory_ / "data"};
    api_ = Api{server_};
    expect_size("keen", 3);
    send_event("e8", "bob", "click", "x", 7'200);
    send_event("e9", "bob", "click", "x");
    expect_size("keen", 4);
    expect_verified();
}

TEST_F(SegmentRules, go_by_other_segments_and_data) {
    add("bought", member_lines({"www:w1", "www:w2", "www:w3"}));
    match({"www:w1", "crm:7"}, R"(,"data":{"city":"Oslo"})");
    put_well("oslo", R"({"datum":{"name":"city","is":"Oslo"}})");
    put_well("others", R"({"all":[{"segment":"bought"},{"not":{"segment":"oslo"}}]})");
    expect_size("oslo", 1);
    expect_size("others", 2);
    // Only a datum changes, of somebody who was in no segment by it.
    match({"www:w2", "crm:8"}, R"(,"data":{"city":"Bergen"})");
    expect_size("others", 2);
    match({"www:w2", "crm:8"}, R"(,"source":"crm","data":{"city":"Oslo"})");
    expect_size("oslo", 2);
    expect_size("others", 1);
    const auto named = api_.send(Method::del, segment_path("oslo"));
    expect_problem(named, 409, "conflict", "");
    put_well("oslo", "null");
    expect_size("oslo", 0);
    expect_size("others", 3);
    expect_verified();
}

/// Line 3 of the issue: with FOOTFALL_RULE_EVENTS=1000000 as it stands there.
TEST_F(SegmentRules, of_many_events_equal_brute_force) {
    const char* const asked = std::getenv("FOOTFALL_RULE_EVENTS");
    const std::size_t count = asked == nullptr ? 4'000 : std::stoul(asked);
    const auto patience = std::chrono::seconds{asked == nullptr ? 30 : 1800};
    constexpr std::size_t at_once = 5'000;
    put_well("opened", R"({"event":{"action":"open","object":"o1","times":2,"within":"30d"}})");
    put_well("bought", R"({"event":{"action":"buy","times":3,"within":"7d"}})");
    Deeds deeds{11, std::max<std::uint64_t>(80, count / 50)};
    const std::uint64_t pairs = std::min<std::uint64_t>(100, deeds.actors / 4);
    const auto begun = std::chrono::steady_clock::now();
    for (std::size_t sent = 0; sent < count; sent += at_once) {
        api_.post_events(deeds.lines(std::min(at_once, count - sent)));
        if (sent <= count / 2 && sent + at_once > count / 2) {
            for (std::uint64_t pair = 0; pair < pairs; ++pair) {
                deeds.unite(pair, pairs + pair);
                unite_actors(fmt::format("a{}", pair), fmt::format("a{}", pairs + pair));
            }
        }
    }
    const auto sent = std::chrono::steady_clock::now();
    put_well(
        "quiet",
        R"({"all":[{"event":{"action":"open","times":5,"within":"10d"}},)"
        R"({"not":{"event":{"action":"buy","within":"2d"}}}]})"
    );
    put_well(
        "any",
        R"({"any":[{"segment":"opened"},{"event":{"action":"buy","object":"o3","within":"1d"}}]})"
    );
    const auto opened = [](const auto& of) { return Deeds::count(of, false, 1, 30) >= 2; };
    const auto expect = [&](const std::string& name, const Deeds::Holds& holds) {
        expect_people(name, deeds.who(holds), patience);
    };
    expect("opened", opened);
    expect("bought", [](const auto& of) { return Deeds::count(of, true, -1, 7) >= 3; });
    expect("quiet", [](const auto& of) {
        return Deeds::count(of, false, -1, 10) >= 5 && Deeds::count(of, true, -1, 2) == 0;
    });
    expect("any", [&](const auto& of) { return opened(of) || Deeds::count(of, true, 3, 1) >= 1; });
    fmt::print(
        "{} events sent in {:.1f} s, all equal {:.1f} s later\n",
        count,
        std::chrono::duration<double>(sent - begun).count(),
        std::chrono::duration<double>(std::chrono::steady_clock::now() - sent).count()
    );
}

TEST_F(SegmentRules, refuse_what_is_no_rule_and_name_the_field) {
    const auto refused = [&](const std::string& rule, const std::string& field) {
        expect_problem(put("s", rule), 400, "invalid-input", field);
    };
    refused(R"({"event":{"action":"click","within":"367d"}})", "rule.event.within");
    refused(R"({"event":{"action":"click","within":"1d","times":101}})", "rule.event.times");
    refused(R"({"event":{"within":"1d"}})", "rule.event.action");
    refused(R"({"datum":{"name":"","is":1}})", "rule.datum.name");
    refused(R"({"not":{"segment":"a"}})", "rule");
    refused(R"({"all":[]})", "rule.all");
    refused(R"({"segment":"nobody"})", "rule");
    refused("7", "rule");
    std::string many;
    for (int term = 0; term < 65; ++term) {
        many += fmt::format(R"({}{{"segment":"s"}})", many.empty() ? "" : ",");
    }
    refused(R"({"any":[)" + many + "]}", "rule.any[64].segment");
    put_well("a", R"({"event":{"action":"click","within":"1d"}})");
    put_well("b", R"({"segment":"a"})");
    expect_problem(put("a", R"({"segment":"b"})"), 400, "invalid-input", "rule");
    expect_problem(put("none", "null"), 404, "not-found", "segment");
    EXPECT_EQ(api_.send(Method::put, segment_path("a"), "{}").status, 400);
}

}  // namespace
}  // namespace footfall
