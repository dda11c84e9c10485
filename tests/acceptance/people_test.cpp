// What persons said about their reading, and whom they list, by HTTP.
#include "test_support/bad_request.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

namespace footfall {
namespace {

using http_server::ClientResponse;
using http_server::Method;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace test_support;

class PeopleApi : public RunningServer {
protected:
    boost::json::object ok(Method method, const std::string& target, std::string_view body = {}) {
        const ClientResponse answer = api_.send(method, target, body);
        EXPECT_EQ(answer.status, 200) << answer.body;
        return parse_object(answer.body);
    }

    boost::json::object person(const std::string& actor) { return ok(Method::get, path(actor)); }

    std::string reading(const std::string& actor) {
        return std::string{person(actor).at("reading").as_string()};
    }

    std::vector<std::string> friends(const std::string& actor) {
        std::vector<std::string> names;
        for (const auto& each : ok(Method::get, path(actor, "/friends")).at("friends").as_array()) {
            names.emplace_back(each.as_string());
        }
        return names;
    }

    static std::string path(const std::string& actor, std::string_view rest = {}) {
        return fmt::format("/api/v1/people/{}{}", http_server::percent_encode(actor), rest);
    }
};

TEST_F(PeopleApi, who_was_never_told_of_is_off) {
    EXPECT_EQ(
        boost::json::serialize(person("nobody")),
        R"({"actor":"nobody","reading":"off","until":null,"sites":null,"to":"anyone","since":null,"changed_at":null})"
    );
    EXPECT_THAT(friends("nobody"), IsEmpty());
}

TEST_F(PeopleApi, what_was_said_is_answered_and_survives_a_kill) {
    const std::string odd = "ü/ \"1\"/friends";
    for (const std::string& actor : {std::string{"u1"}, odd}) {
        const auto said =
            ok(Method::put,
               path(actor),
               R"({"reading":"shared","sites":["News.Example","b.example"],"to":"friends"})");
        EXPECT_EQ(said.at("actor").as_string(), actor);
        ok(Method::put, path(actor, "/friends"), R"({"friends":["u3","u2","u3"]})");
        const auto changed =
            ok(Method::post, path(actor, "/friends"), R"({"add":["u4"],"remove":["u2"]})");
        EXPECT_EQ(changed.at("count").to_number<int>(), 2);
    }
    const auto before = person(odd);
    server_.kill();
    server_.restart();
    api_ = Api{server_};
    EXPECT_EQ(person(odd), before);
    EXPECT_EQ(person("u1").at("reading").as_string(), "shared");
    EXPECT_EQ(boost::json::serialize(person("u1").at("sites")), R"(["b.example","news.example"])");
    EXPECT_THAT(friends("u1"), ElementsAre("u3", "u4"));
    EXPECT_THAT(friends(odd), ElementsAre("u3", "u4"));
    EXPECT_EQ(api_.metric("footfall_reading_sharers"), 2);
    ok(Method::put, path("u1"), R"({"reading":"off"})");
    EXPECT_EQ(reading("u1"), "off");
    EXPECT_EQ(api_.metric("footfall_reading_sharers"), 1);
    EXPECT_THAT(friends("u1"), ElementsAre("u3", "u4")) << "friends are not consent";
}

TEST_F(PeopleApi, a_pause_is_shown_until_it_ends) {
    ok(Method::put, path("u1"), R"({"reading":"private","until":"2999-01-01T00:00:00Z"})");
    EXPECT_EQ(person("u1").at("until").as_string(), "2999-01-01T00:00:00Z");
    EXPECT_EQ(reading("u1"), "private");
}

TEST_F(PeopleApi, many_are_said_together_line_by_line) {
    std::string lines;
    for (int at = 0; at < 2'500; ++at) {
        lines += fmt::format(
            R"({{"actor":"p{}","reading":"shared","friends":["p{}","p{}"]}})"
            "\n",
            at,
            at + 1,
            at + 2
        );
    }
    lines +=
        "\n{\"actor\":\"p0\",\"reading\":\"perhaps\"}\r\nnone\n"
        "{\"actor\":\"p1\",\"reading\":\"off\"}\n{\"actor\":\"p2\",\"friends\":[]}";
    const auto outcome = ok(Method::post, "/api/v1/people", lines);
    EXPECT_EQ(outcome.at("accepted").to_number<int>(), 2'502);
    const auto& rejected = outcome.at("rejected").as_array();
    ASSERT_EQ(rejected.size(), 2);
    EXPECT_EQ(rejected[0].at("line").to_number<int>(), 2'502);
    EXPECT_THAT(std::string{rejected[0].at("detail").as_string()}, HasSubstr("private"));
    EXPECT_EQ(rejected[1].at("line").to_number<int>(), 2'503);
    EXPECT_EQ(reading("p0"), "shared");
    EXPECT_EQ(reading("p1"), "off");
    EXPECT_EQ(reading("p2499"), "shared");
    EXPECT_THAT(friends("p2"), IsEmpty());
    EXPECT_THAT(friends("p2499"), ElementsAre("p2500", "p2501"));
    EXPECT_EQ(api_.metric("footfall_reading_sharers"), 2'499);
}

/// {"NAME":["f","f0",..]} of so many names.
std::string list_of(std::string_view field, int names) {
    std::string json = fmt::format(R"({{"{}":["f")", field);
    for (int at = 1; at < names; ++at) {
        json += fmt::format(R"(,"f{}")", at);
    }
    return json + "]}";
}

class PeopleInput : public PeopleApi {
protected:
    void SetUp() override {
        ok(Method::put, path("u1"), R"({"reading":"shared"})");
        ok(Method::put, path("u1", "/friends"), R"({"friends":["u2"]})");
    }

    void expect_refused(const std::vector<Bad>& all) {
        test_support::expect_refused(api_, all, [this] {
            return boost::json::serialize(person("u1")) +
                   boost::json::serialize(ok(Method::get, path("u1", "/friends")));
        });
    }

    static Bad bad(
        Method method,
        std::string_view rest,
        std::string body,
        std::string field,
        std::string detail
    ) {
        return {
            .method = method,
            .target = path("u1", rest),
            .body = std::move(body),
            .field = std::move(field),
            .detail = std::move(detail)
        };
    }
};

TEST_F(PeopleInput, names_that_are_none_are_refused) {
    const std::string long_name(1025, 'n');
    expect_refused({
        {.target = path(long_name), .status = 414, .type = "name-too-long", .field = "actor"},
        {.target = "/api/v1/people/%ff", .field = "actor", .detail = "UTF-8"},
        {.target = "/api/v1/people/a%00b", .field = "actor", .detail = "control"},
        {.target = "/api/v1/people/u1/enemies",
         .status = 404,
         .type = "not-found",
         .field = "actor",
         .detail = "%2F"},
        {.target = path("u1") + "?full=1", .field = "full"},
    });
}

TEST_F(PeopleInput, consent_that_is_none_is_refused) {
    const auto put = [](const char* body, const char* field, const char* detail) {
        return bad(Method::put, "", body, field, detail);
    };
    expect_refused({
        put("", "", "JSON object"),
        put("[]", "", "JSON object"),
        put(R"({"reading":"on"})", "reading", "shared"),
        put(R"({"reading":"shared","site":["news.example"]})", "site", "sites"),
        put(R"({"reading":"shared","sites":["http://news.example"]})", "sites", "host"),
        put(R"({"reading":"shared","to":"all"})", "to", "friends"),
        put(R"({"reading":"shared","until":"2999-01-01T00:00:00Z"})", "until", "private"),
        put(R"({"reading":"private","until":"2020-01-01T00:00:00Z"})", "until", "over"),
        put(R"({"reading":"private","until":"soon"})", "until", "such as"),
    });
}

TEST_F(PeopleInput, friends_that_are_none_are_refused) {
    const auto friends = [](Method method, std::string body, const char* field, const char* detail
                         ) { return bad(method, "/friends", std::move(body), field, detail); };
    expect_refused({
        friends(Method::put, "{}", "friends", "missing"),
        friends(Method::put, R"({"friends":null})", "friends", "missing"),
        friends(Method::put, R"({"friends":"u2"})", "friends", "list"),
        friends(Method::put, R"({"friends":[1]})", "friends", "text"),
        friends(Method::put, R"({"friends":[""]})", "friends", ""),
        friends(Method::put, list_of("friends", 5'001), "friends", "5001"),
        friends(Method::put, R"({"add":["u2"]})", "add", "friends"),
        friends(Method::post, "{}", "add", "nothing to do"),
        friends(Method::post, R"({"add":[],"remove":[]})", "add", "nothing to do"),
        friends(Method::post, R"({"add":["a\u0001"]})", "add", "control"),
        friends(Method::post, list_of("add", 5'000), "friends", "5001"),
    });
}

TEST_F(PeopleApi, asks_for_the_scope_people) {
    std::map<std::string, std::string> keys;
    const auto ask = [&](const std::string& key,
                         Method method,
                         const std::string& target,
                         std::string_view body) {
        http_server::Client client = server_.client();
        return must(client.send(method, target, body, {{"Authorization", "Bearer " + keys[key]}}));
    };
    for (const char* name : {"admin", "read", "write", "money", "people"}) {
        const auto made =
            ask("admin",
                Method::post,
                "/api/v1/keys",
                fmt::format(R"({{"name":"{0}","scopes":["{0}"]}})", name));
        ASSERT_EQ(made.status, 201) << made.body;
        keys[name] = std::string{parse_object(made.body).at("key").as_string()};
    }
    for (const auto& [key, value] : keys) {
        const int status = key == "people" || key == "admin" ? 200 : 403;
        EXPECT_EQ(ask(key, Method::get, path("u1"), "").status, status) << key;
        EXPECT_EQ(ask(key, Method::put, path("u1"), "{}").status, status) << key;
        EXPECT_EQ(ask(key, Method::get, path("u1", "/friends"), "").status, status) << key;
        EXPECT_EQ(ask(key, Method::put, path("u1", "/friends"), R"({"friends":[]})").status, status)
            << key;
        EXPECT_EQ(
            ask(key, Method::post, path("u1", "/friends"), R"({"add":["u2"]})").status, status
        ) << key;
        EXPECT_EQ(ask(key, Method::post, "/api/v1/people", "").status, status) << key;
    }
    EXPECT_EQ(ask("people", Method::get, "/api/v1/counters", "").status, 403);
}

}  // namespace
}  // namespace footfall
