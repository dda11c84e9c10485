// Events as their senders meet them: taken, judged, counted, explained.

#include "test_support/running_server.h"
#include "test_support/tested_store.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <string>
#include <string_view>
#include <utility>

namespace footfall {
namespace {

using http_server::ClientResponse;
using http_server::Method;
using testing::HasSubstr;
using namespace test_support;

constexpr const char* events_path = "/api/v1/events";

class EventApi : public RunningServer {
protected:
    ClientResponse post(
        std::string_view body,
        const std::string& content_type = "application/json",
        const std::pair<std::string, std::string>& header = {"Accept", "*/*"}
    ) {
        http_server::Client client = server_.client();
        return must(
            client.send(Method::post, events_path, body, {{"Content-Type", content_type}, header})
        );
    }

    std::string text(const boost::json::value& value) { return boost::json::serialize(value); }
};

std::string view(
    std::string_view object, std::string_view actor, std::string_view time, std::string_view id = ""
) {
    return fmt::format(
        R"({{"id":"{}","time":"{}","action":"view","object":"{}","actor":"{}"}})"
        "\n",
        id,
        time,
        object,
        actor
    );
}

TEST_F(EventApi, answers_in_the_agreed_form) {
    const ClientResponse answer =
        post(R"([{"action":"view","object":"a"},{"action":"view","object":"b"},{"action":"view"}])"
        );
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.content_type, "application/json");
    EXPECT_EQ(
        answer.body,
        R"({"accepted":2,"duplicates":0,"rejected":[{"line":3,"type":"/problems/invalid-input",)"
        R"("detail":"object is missing: what it was done to","field":"object"}]})"
        "\n"
    );
}

TEST_F(EventApi, takes_every_form_of_event) {
    EXPECT_EQ(
        text(api_.post_events(R"({"action":"view","object":"o"})", "application/json")["accepted"]),
        "1"
    );
    EXPECT_EQ(
        text(api_.post_events(
            "{\"action\":\"view\",\"object\":\"o\"}\n\n{\"action\":\"view\",\"object\":\"o\"}",
            "application/x-ndjson; charset=utf-8"
        )["accepted"]),
        "2"
    );
    const std::string envelope =
        R"({"specversion":"1.0","id":"1","source":"/site","type":"org.example.view","subject":"o"})";
    EXPECT_EQ(text(api_.post_events(envelope, "application/cloudevents+json")["accepted"]), "1");
    EXPECT_EQ(
        text(api_.post_events("[" + envelope + "]", "application/cloudevents-batch+json")),
        R"({"accepted":1,"duplicates":1,"rejected":[]})"
    );
    EXPECT_EQ(text(api_.views("o").at("counted")), "4");
}

TEST_F(EventApi, looks_at_a_body_that_nobody_named_as_curl_sends_it) {
    const std::string curl = "application/x-www-form-urlencoded";
    const std::string event = R"({"action":"view","object":"o"})";
    const std::string over_lines = "{\n\"action\":\"view\",\n\"object\":\"o\"}";
    for (const std::string& body : {event, "[" + event + "]", over_lines}) {
        EXPECT_EQ(text(api_.post_events(body, curl)["accepted"]), "1") << body;
    }
    EXPECT_EQ(text(api_.post_events(event + "\n" + event + "\n", curl)["accepted"]), "2");
}

TEST_F(EventApi, refuses_what_is_no_batch) {
    expect_problem(post("x", "text/plain"), 415, "unsupported-type", "Content-Type");
    expect_problem(post("[{", "application/json"), 400, "invalid-input", "");
    expect_problem(
        post("{}", "application/json", {"Idempotency-Key", "a b"}),
        400,
        "invalid-input",
        "Idempotency-Key"
    );
    std::string many;
    for (int line = 0; line <= 100'000; ++line) {
        many += "{}\n";
    }
    expect_problem(post(many, "application/x-ndjson"), 413, "too-many-lines", "");
    expect_problem(
        post("x", "application/json", {"Content-Encoding", "br"}),
        415,
        "unsupported-encoding",
        "Content-Encoding"
    );
}

TEST_F(EventApi, refuses_a_time_before_1970_and_says_so) {
    EXPECT_EQ(
        text(api_.post_events(view("a", "u1", "1969-12-31T23:59:59Z"))),
        R"({"accepted":0,"duplicates":0,"rejected":[{"line":1,"type":"/problems/invalid-input",)"
        R"("detail":"time must be 1970-01-01T00:00:00Z or later","field":"time"}]})"
    );
}

TEST_F(EventApi, counts_an_id_once_and_a_batch_with_a_key_once) {
    const std::string events = view("a", "u1", "2026-11-21T10:00:00Z", "e1") +
                               view("a", "u2", "2026-11-21T10:00:00Z", "e2");
    EXPECT_EQ(text(api_.post_events(events)), R"({"accepted":2,"duplicates":0,"rejected":[]})");
    EXPECT_EQ(text(api_.post_events(events)), R"({"accepted":2,"duplicates":2,"rejected":[]})");
    const std::string other = view("a", "u3", "2026-11-21T10:00:00Z", "e1");
    EXPECT_EQ(text(api_.post_events(other)), R"({"accepted":1,"duplicates":0,"rejected":[]})");
    EXPECT_EQ(text(api_.views("a").at("counted")), "2");
    EXPECT_EQ(text(api_.views("a").at("refused")), R"({"id_conflict":1})");

    const std::string batch = R"([{"action":"view","object":"b"},{"action":"view","object":"b"}])";
    for (const char* duplicates : {"0", "2"}) {
        const auto answer = api_.post_events(batch, "application/json", "batch-17");
        EXPECT_EQ(text(answer.at("duplicates")), duplicates);
    }
    EXPECT_EQ(text(api_.views("b").at("counted")), "2");
}

TEST_F(EventApi, counts_each_content_of_an_id_once_however_often_it_is_sent) {
    const std::string first = view("a", "u1", "2026-11-21T10:00:00Z", "e1");
    const std::string second = view("a", "u2", "2026-11-21T10:00:00Z", "e1");
    const auto send = [&](Api& api, const char* duplicates) {
        for (const std::string& event : {first, second}) {
            const auto answer = api.post_events(event);
            EXPECT_EQ(text(answer.at("accepted")), "1");
            EXPECT_EQ(text(answer.at("duplicates")), duplicates);
        }
    };
    const auto expect_counted = [this](Api& api) {
        const auto views = api.views("a");
        EXPECT_EQ(text(views.at("counted")), "1");
        EXPECT_EQ(text(views.at("refused")), R"({"id_conflict":1})");
    };
    send(api_, "0");
    send(api_, "1");
    EXPECT_EQ(text(api_.post_events(second + second + first).at("duplicates")), "3");
    expect_counted(api_);
    ASSERT_EQ(server_.stop(), 0);
    server_.restart();
    Api restarted{server_};
    send(restarted, "1");
    expect_counted(restarted);
}

TEST_F(EventApi, every_number_of_an_object_explains_itself) {
    api_.post_events(
        view("post", "u1", "2026-11-20T23:59:50Z", "1") +
        view("post", "u1", "2026-11-21T00:00:10Z", "2") +
        view("post", "u1", "2026-11-21T00:30:00Z", "3") +
        view("post", "u2", "2026-11-21T12:00:00Z", "4")
    );
    EXPECT_EQ(
        text(api_.views("post")),
        R"({"object":"post","action":"view","events":4,"counted":2,"refused":{"repeat":1,"repeat_fast":1},)"
        R"("people":2,"exact":true,"error":0,"provisional":false,"age":null,"tz":"UTC","people_tz":"UTC","earlier_days":false,"days":[)"
        R"({"day":"2026-11-20","events":1,"counted":1,"refused":{},"people":1},)"
        R"({"day":"2026-11-21","events":3,"counted":1,"refused":{"repeat":1,"repeat_fast":1},"people":1}]})"
    );
    const boost::json::object day = api_.views("post", "?from=2026-11-21&to=2026-11-21");
    EXPECT_EQ(text(day.at("events")), "3");
    EXPECT_EQ(text(day.at("people")), "1");
    const boost::json::object kolkata = api_.views("post", "?tz=Asia/Kolkata");
    EXPECT_EQ(text(kolkata.at("days").at(0).at("day")), R"("2026-11-21")");
    EXPECT_EQ(text(kolkata.at("days").at(0).at("people")), "null");
    EXPECT_EQ(text(kolkata.at("days").at(0).at("events")), "4");

    const boost::json::object refused = api_.get_json("/api/v1/events/2");
    EXPECT_EQ(text(refused.at("id")), R"("2")");
    EXPECT_EQ(text(refused.at("object")), R"("post")");
    const boost::json::object& verdict = refused.at("verdict").as_object();
    EXPECT_EQ(text(verdict.at("counted")), "false");
    EXPECT_EQ(text(verdict.at("reason")), R"("repeat_fast")");
    EXPECT_EQ(text(verdict.at("evidence").at("seconds")), R"("20")");
    EXPECT_THAT(text(verdict.at("why")), HasSubstr("20 seconds"));
    const boost::json::object latest = api_.get_json("/api/v1/events?object=post&limit=2");
    EXPECT_EQ(latest.at("events").as_array().size(), 2U);
}

TEST_F(EventApi, ranks_objects_from_what_is_stored) {
    std::string events;
    for (int object = 1; object <= 30; ++object) {
        for (int actor = 0; actor < object; ++actor) {
            events +=
                view(fmt::format("o{}", object), fmt::format("u{}", actor), "2026-11-21T10:00:00Z");
        }
    }
    events += view("o1", "u0", "2026-11-20T10:00:00Z");
    api_.post_events(events);
    ASSERT_EQ(server_.stop(), 0);  // all is stored
    server_.restart();
    Api restarted{server_};
    const boost::json::object top = restarted.get_json("/api/v1/top?limit=20");
    EXPECT_EQ(text(top.at("complete")), "true");
    const boost::json::array& objects = top.at("objects").as_array();
    ASSERT_EQ(objects.size(), 20U);
    for (std::size_t at = 0; at < objects.size(); ++at) {
        EXPECT_EQ(text(objects[at].at("object")), fmt::format("\"o{}\"", 30 - at));
        EXPECT_EQ(text(objects[at].at("people")), fmt::format("{}", 30 - at));
    }
    const boost::json::object by_views = restarted.get_json("/api/v1/top?by=views&limit=100");
    EXPECT_EQ(
        text(by_views.at("objects").at(29)),
        text(boost::json::parse(
            R"({"object":"o1","views":2,"refused":0,"people":1,"exact":true,"error":0})"
        ))
    );
    EXPECT_EQ(text(restarted.get_json("/api/v1/top?action=click").at("objects")), "[]");
    expect_problem(restarted.send(Method::get, "/api/v1/top?by=size"), 400, "invalid-input", "by");
}

TEST_F(EventApi, refuses_questions_that_make_no_sense) {
    const auto ask = [&](const std::string& target) { return api_.send(Method::get, target); };
    expect_problem(ask("/api/v1/views/a?from=yesterday"), 400, "invalid-input", "from");
    expect_problem(
        ask("/api/v1/views/a?from=2026-11-21&to=2026-02-30"), 400, "invalid-input", "to"
    );
    expect_problem(ask("/api/v1/views/a?to=2026-11-21"), 400, "invalid-input", "from");
    expect_problem(ask("/api/v1/views/a?tz=Mars/Olympus"), 400, "invalid-input", "tz");
    expect_problem(
        ask("/api/v1/views/a?from=2026-11-21&to=2026-11-20"), 400, "invalid-input", "from"
    );
    expect_problem(ask("/api/v1/views/a?group_by=week"), 400, "invalid-input", "group_by");
    expect_problem(ask("/api/v1/views/a?group_by=hour"), 400, "invalid-input", "from");
    expect_problem(
        ask("/api/v1/views/a?group_by=hour&from=2026-10-21&to=2026-11-21"),
        400,
        "invalid-input",
        "from"
    );
    expect_problem(ask("/api/v1/views/?action=view"), 400, "invalid-input", "object");
    for (const char* const path : {"/api/v1/views/a", "/api/v1/views", "/api/v1/top"}) {
        const std::string target{path};
        expect_problem(ask(target + "?action=View"), 400, "invalid-input", "action");
        expect_problem(ask(target + "?action="), 400, "invalid-input", "action");
    }
    expect_problem(ask("/api/v1/live/views?action=View"), 400, "invalid-input", "action");
    expect_problem(ask("/api/v1/live/views?object="), 400, "invalid-input", "object");
    for (const char* const path : {"/api/v1/live/counters", "/api/v1/rules"}) {
        expect_problem(ask(std::string{path} + "?ruls=1"), 400, "invalid-input", "ruls");
    }
    const auto page = ask("/how-we-count?utm_source=letter");
    EXPECT_EQ(page.status, 200) << "people follow links to it";
    EXPECT_THAT(page.body, HasSubstr("An event is kept for 90 days, with the address"));
    expect_problem(ask("/api/v1/events/none"), 404, "not-found", "id");
    expect_problem(ask("/api/v1/events/%ff"), 400, "invalid-input", "id");
    EXPECT_EQ(text(api_.views("nobody").at("events")), "0");
}

TEST_F(EventApi, metrics_tell_what_became_of_events) {
    api_.post_events(
        view("a", "u1", "2026-11-21T10:00:00Z", "1") +
        view("a", "u1", "2026-11-21T10:00:10Z", "2") +
        view("a", "u2", "2026-11-21T10:00:10Z", "3") + view("a", "u1", "2026-11-21T10:00:00Z", "1")
    );
    const auto judged = [&](const char* verdict) {
        return api_.metric(fmt::format(R"(footfall_events_judged_total{{verdict="{}"}})", verdict));
    };
    EXPECT_EQ(judged("counted"), 2U);
    EXPECT_EQ(judged("repeat_fast"), 1U);
    EXPECT_EQ(api_.metric("footfall_events_duplicate_total"), 1U);
    EXPECT_EQ(api_.metric("footfall_view_objects"), 2U) << "a, and all objects together";
    const auto waiting = api_.metric("footfall_view_waiting");
    if (log_is_kafka()) {
        EXPECT_LE(waiting, 6U) << "rows may have been stored meanwhile";
    } else {
        EXPECT_EQ(waiting, 6U) << "three events, for each of the two";
    }
    server_.kill();
    server_.restart();
    Api restarted{server_};
    const auto read_again = restarted.metric("footfall_events_read_again");
    if (log_is_kafka()) {
        EXPECT_LE(read_again, 3U) << "rows may have been stored before the kill";
    } else {
        EXPECT_EQ(read_again, 3U);
        EXPECT_GT(restarted.metric("footfall_events_start_records_read"), 3U) << "rules as well";
    }
    EXPECT_EQ(server_.stop(), 0);
    server_.restart();
    Api after_stop{server_};
    EXPECT_EQ(after_stop.metric("footfall_events_read_again"), 0U) << "all was written";
    if (!log_is_kafka()) {
        EXPECT_EQ(after_stop.metric("footfall_events_start_records_read"), 0U);
    }
    after_stop.post_events(view("a", "u1", "2026-11-21T10:00:20Z", "4"));
    EXPECT_EQ(after_stop.metric(R"(footfall_events_judged_total{verdict="repeat_fast"})"), 1U)
        << "the rules remember";
}

TEST_F(EventApi, metrics_tell_of_a_condition_that_failed) {
    const std::string rules = directory_ / "rules.toml";
    std::ofstream{rules} << R"([[rule]]
name = "large"
kind = "condition"
when = "attributes.size and attributes.size.cm > 10"
)";
    FootfallProcess server{directory_ / "ruled", {"--rules", rules}};
    Api api{server};
    const auto failures = [&] {
        return api.metric(R"(footfall_rule_condition_failures_total{rule="large"})");
    };
    EXPECT_EQ(failures(), 0U);
    const auto event = [](const char* size) {
        return fmt::format(R"({{"action":"view","object":"a","attributes":{{"size":{}}}}})", size);
    };
    api.post_events(event(R"({"cm":20})") + "\n" + event(R"({"cm":2})") + "\n" + event("\"s\""));
    EXPECT_EQ(failures(), 1U) << "a text has no cm";
    EXPECT_EQ(text(api.views("a").at("counted")), "2") << "what fails does not hold";
    EXPECT_EQ(text(api.views("a").at("refused")), R"({"large":1})");
}

TEST_F(EventApi, an_id_of_two_objects_asks_which) {
    api_.post_events(
        view("a", "u1", "2026-11-21T10:00:00Z", "x") + view("b", "u1", "2026-11-21T10:00:00Z", "x")
    );
    expect_problem(api_.send(Method::get, "/api/v1/events/x"), 409, "conflict", "object");
    EXPECT_EQ(text(api_.get_json("/api/v1/events/x?object=b").at("object")), R"("b")");
    const boost::json::object of_a = api_.get_json("/api/v1/events?object=a");
    const std::string position{of_a.at("events").at(0).at("position").as_string()};
    EXPECT_EQ(text(api_.get_json("/api/v1/events/" + position).at("object")), R"("a")");
    expect_problem(
        api_.send(Method::get, "/api/v1/events/" + position + "?object=b"), 404, "not-found", "id"
    );
}

TEST_F(EventApi, everything_is_there_again_after_a_stop_and_after_a_kill) {
    std::string events;
    for (int actor = 0; actor < 300; ++actor) {
        events += view(
            "post", fmt::format("u{}", actor), "2026-11-21T10:00:00Z", fmt::format("{}", actor)
        );
        events += view("post", fmt::format("u{}", actor), "2026-11-21T10:00:05Z");
    }
    api_.post_events(events);
    const std::string before = text(api_.views("post"));
    EXPECT_THAT(before, HasSubstr(R"("counted":300,"refused":{"repeat_fast":300})"));
    ASSERT_EQ(server_.stop(), 0);
    server_.restart();
    Api stopped{server_};
    EXPECT_EQ(text(stopped.views("post")), before);
    server_.kill();
    server_.restart();
    Api killed{server_};
    EXPECT_EQ(text(killed.views("post")), before);
    // The rules remember as well.
    killed.post_events(view("post", "u7", "2026-11-21T10:00:10Z"));
    EXPECT_EQ(text(killed.views("post").at("counted")), "300");
    EXPECT_EQ(
        text(killed.post_events(view("post", "u7", "2026-11-21T10:00:00Z", "7")).at("duplicates")),
        "1"
    );
}

TEST(EventAddresses, are_told_as_a_hash_once_they_were_kept_long_enough) {
    const TemporaryDirectory directory;
    const auto event = [](const char* id, const char* address) {
        return fmt::format(
            R"({{"id":"{}","action":"view","object":"a","address":"{}"}})"
            "\n",
            id,
            address
        );
    };
    const auto hash_of = [](Api& api, const std::string& id) {
        const boost::json::object told = api.get_json("/api/v1/events/" + id);
        EXPECT_FALSE(told.contains("address"));
        return std::string{told.at("address_hash").as_string()};
    };
    {
        FootfallProcess server{directory / "data", {"--keep-addresses", "0s"}};
        Api api{server};
        api.post_events(
            event("1", "192.0.2.7") + event("2", "192.0.2.7") + event("3", "192.0.2.8")
        );
        EXPECT_EQ(hash_of(api, "1"), hash_of(api, "2"));
        EXPECT_NE(hash_of(api, "1"), hash_of(api, "3"));
        EXPECT_FALSE(api.send(Method::get, "/api/v1/events?object=a").body.contains("192.0.2."));
    }
    FootfallProcess server{directory / "data"};
    Api api{server};
    EXPECT_EQ(api.get_json("/api/v1/events/1").at("address"), "192.0.2.7") << "not seven days old";
}

}  // namespace
}  // namespace footfall
