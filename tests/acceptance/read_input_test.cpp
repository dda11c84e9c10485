// Reads and questions about them that are odd or wrong, each with its answer: what is none harms
// nothing, and what is one by another spelling is the same article.
#include "events/rfc3339.h"
#include "foundation/clock.h"
#include "foundation/json_string.h"
#include "test_support/bad_request.h"
#include "test_support/running_server.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <string>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using testing::HasSubstr;
using namespace test_support;

/// Where ann shares, and one of her reads is there.
class ReadInput : public RunningServer {
protected:
    void SetUp() override { share_and_read(); }

    void share_and_read() {
        const auto said = api_.send(Method::put, "/api/v1/people/ann", R"({"reading":"shared"})");
        ASSERT_EQ(said.status, 200) << said.body;
        ASSERT_EQ(accepted(R"("object":"https://news.example/there")", "there"), 1);
    }

    /// Of one read by ann with these fields beside.
    boost::json::object outcome(const std::string& fields, const std::string& id) {
        return api_.post_events(fmt::format(
            R"({{"id":"{}","action":"read","actor":"ann",{}}})"
            "\n",
            id,
            fields
        ));
    }

    int accepted(const std::string& fields, const std::string& id) {
        return outcome(fields, id).at("accepted").to_number<int>();
    }

    boost::json::object event(const std::string& id) {
        return api_.get_json("/api/v1/events/" + id);
    }

    /// Who ann's friends are told to have read it.
    std::string who(const std::string& url) {
        return api_
            .send(
                Method::post,
                "/api/v1/reading/who",
                fmt::format(R"({{"friends":["ann"],"urls":[{}]}})", json_string(url))
            )
            .body;
    }

    static std::string at(std::chrono::microseconds from_now) {
        return fmt::format(
            R"("object":"https://news.example/timed","time":"{}")",
            events::format_rfc3339(SystemClock{}.now() + from_now)
        );
    }

    static std::string names(std::size_t count) {
        std::string list = "[";
        for (std::size_t at = 0; at < count; ++at) {
            list += fmt::format(R"({}"u{}")", at == 0 ? "" : ",", at);
        }
        return list + "]";
    }
};

TEST_F(ReadInput, spellings_of_an_article_are_one_and_what_is_no_url_is_itself) {
    struct Case {
        std::string object;
        std::string stored;
    };

    const std::string long_path(800, 'p');
    const std::vector<Case> cases{
        {"HTTP://News.Example:80/1#top", "https://news.example/1"},
        {"https://ann:secret@news.example/2", "https://news.example/2"},
        {"https://news.example/x/%2e%2E/3?utm_source=a&fbclid=b", "https://news.example/3"},
        {"https://news.example/%7e4%2f", "https://news.example/~4%2F"},
        {"https://b\u00fccher.example/caf\u00e9", "https://xn--bcher-kva.example/caf%C3%A9"},
        {"https://stra\u00dfe.example/", "https://xn--strae-oqa.example/"},
        {"https://[2001:DB8:0:0::1]:8080/100%", "https://[2001:db8::1]:8080/100%25"},
        {"  https://news.example/5 ", "https://news.example/5"},
        {"https://news.example/" + long_path, "https://news.example/" + long_path},
        {"mailto:ann@news.example", "mailto:ann@news.example"},
        {"javascript:alert(1)", "javascript:alert(1)"},
        {"https://a..b/", "https://a..b/"},
        {"https://news.example:99999/", "https://news.example:99999/"},
        {"http:/x", "http:/x"},
        {"https://", "https://"},
        {"just words", "just words"},
    };
    for (std::size_t at = 0; at < cases.size(); ++at) {
        SCOPED_TRACE(cases[at].object.substr(0, 60));
        const std::string id = fmt::format("e-{}", at);
        ASSERT_EQ(accepted(R"("object":)" + json_string(cases[at].object), id), 1);
        EXPECT_EQ(event(id).at("object").as_string(), cases[at].stored);
        EXPECT_THAT(who(cases[at].object), HasSubstr(R"("readers":["ann"])"));
    }
}

TEST_F(ReadInput, reads_that_are_none_are_rejected_by_line) {
    struct Case {
        std::string fields;
        std::string detail;
    };

    const std::vector<Case> cases{
        {R"("object":"")", "object"},
        {R"("object":7)", "object"},
        {R"("url":"https://news.example/")", "object"},
        {R"("object":"https://news.example/)" + std::string(2048, 'p') + '"', "object"},
        {R"("object":"https://news.example/)" + std::string(1 << 20, 'p') + '"', "object"},
        {R"("object":"https://news.example/","time":"soon")", "time"},
        {R"("object":"https://news.example/","time":"2026-13-01T00:00:00Z")", "time"},
        {R"("object":"https://news.example/","identifiers":"none")", "identifiers"},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.fields.substr(0, 80));
        const auto answer = outcome(each.fields, "bad");
        EXPECT_EQ(answer.at("accepted").to_number<int>(), 0);
        const auto& rejected = answer.at("rejected").as_array();
        ASSERT_EQ(rejected.size(), 1U);
        EXPECT_EQ(rejected[0].at("line").to_number<int>(), 1);
        EXPECT_THAT(std::string{rejected[0].at("detail").as_string()}, HasSubstr(each.detail));
    }
    EXPECT_EQ(api_.send(Method::get, "/api/v1/events/bad").status, 404);
}

TEST_F(ReadInput, times_to_come_and_times_long_past_make_no_fact) {
    using std::chrono::hours;
    using std::chrono::minutes;
    EXPECT_EQ(accepted(at(minutes{10}), "to-come"), 1);
    EXPECT_EQ(
        event("to-come").at("verdict").as_object().at("reason").as_string(), "impossible_time"
    );
    EXPECT_EQ(accepted(at(hours{24 * 400}), "far"), 1);
    EXPECT_EQ(accepted(at(-hours{24 * 32}), "over"), 1);
    EXPECT_FALSE(event("over").at("shared").as_bool());
    EXPECT_FALSE(event("over").contains("actor"));
    EXPECT_THAT(who("https://news.example/timed"), HasSubstr(R"("readers":[])"));
    EXPECT_EQ(accepted(at(minutes{4}), "a-clock-ahead"), 1);
    EXPECT_THAT(who("https://news.example/timed"), HasSubstr(R"("readers":["ann"])"));
}

TEST_F(ReadInput, questions_that_are_none_are_refused) {
    const auto asked = [](std::string body, const char* field, const char* detail) {
        return Bad{
            .method = Method::post,
            .target = "/api/v1/reading/who",
            .body = std::move(body),
            .field = field,
            .detail = detail
        };
    };
    const std::string url = R"("urls":["https://news.example/there"])";
    const std::vector<Bad> all{
        asked("", "", "JSON object"),
        asked("[]", "", "JSON object"),
        asked("{" + url + "}", "actor", "who asks"),
        asked("{" + url + R"(,"actor":""})", "actor", ""),
        asked("{" + url + R"(,"actor":7})", "actor", "text"),
        asked("{" + url + R"(,"friends":"ann"})", "friends", "list"),
        asked("{" + url + R"(,"friends":[7]})", "friends", "text"),
        asked("{" + url + R"(,"friends":)" + names(5'001) + "}", "friends", "5001"),
        asked("{" + url + R"(,"friends":)" + names(1'000'000) + "}", "friends", "1000000"),
        asked(R"({"actor":"bob"})", "urls", "1 to 100"),
        asked(R"({"actor":"bob","urls":[]})", "urls", "1 to 100"),
        asked(R"({"actor":"bob","urls":"https://news.example/"})", "urls", "1 to 100"),
        asked(R"({"actor":"bob","urls":[7]})", "urls", "1 to 100"),
        asked(R"({"actor":"bob","urls":)" + names(101) + "}", "urls", "101"),
        asked(R"({"actor":"bob","names":-1,)" + url + "}", "names", "whole number"),
        asked(R"({"actor":"bob","names":1000001,)" + url + "}", "names", "whole number"),
        asked(R"({"actor":"bob","names":"all",)" + url + "}", "names", "whole number"),
        asked(R"({"actor":"bob","url":"https://news.example/",)" + url + "}", "url", ""),
        asked(
            R"({"actor":"bob","urls":["https://news.example/)" + std::string(2048, 'p') + R"("]})",
            "urls",
            "a URL"
        ),
    };
    expect_refused(api_, all, [this] { return who("https://news.example/there"); });
    EXPECT_THAT(who("https://news.example/there"), HasSubstr(R"("readers":["ann"])"));
}

TEST_F(ReadInput, who_says_by_the_public_door_who_read_is_not_believed) {
    ASSERT_EQ(server_.stop(), 0);
    server_.restart({"--sites", "https://page.example"});
    api_ = Api{server_};
    const std::string url = "https://page.example/forged";
    const std::string of_page = "object=" + url + "&action=read";
    for (const char* claim : {"&actor=ann", "&identifiers=ann", ""}) {
        http_server::Client client = server_.client();
        const auto answer = must(client.send(
            Method::post, "/footfall", of_page + claim, {{"Origin", "https://page.example"}}
        ));
        EXPECT_EQ(answer.status, 204) << claim << answer.body;
    }
    EXPECT_EQ(api_.views(url, "?action=read").at("events").to_number<int>(), 3);
    EXPECT_THAT(who(url), HasSubstr(R"("readers":[])"));
    EXPECT_EQ(api_.get_json("/api/v1/people/ann/reads").at("reads").as_array().size(), 1U);
}

TEST_F(ReadInput, keys_without_the_scope_people_are_told_nothing) {
    std::string admin;
    const auto ask = [&](const std::string& key, const std::string& target, const std::string& body
                     ) {
        http_server::Client client = server_.client();
        return must(client.send(
            body.empty() ? Method::get : Method::post,
            target,
            body,
            {{"Authorization", "Bearer " + key}}
        ));
    };
    const auto add = [&](const std::string& name) {
        const auto made =
            ask(admin, "/api/v1/keys", fmt::format(R"({{"name":"{0}","scopes":["{0}"]}})", name));
        EXPECT_EQ(made.status, 201) << made.body;
        return std::string{parse_object(made.body).at("key").as_string()};
    };
    admin = add("admin");
    const std::string question = R"({"friends":["ann"],"urls":["https://news.example/there"]})";
    for (const char* scope : {"read", "write", "money"}) {
        const std::string key = add(scope);
        EXPECT_EQ(ask(key, "/api/v1/reading/who", question).status, 403) << scope;
        EXPECT_EQ(ask(key, "/api/v1/people/ann/reads", "").status, 403) << scope;
        EXPECT_EQ(ask(key, "/api/v1/people", "{}").status, 403) << scope;
    }
    EXPECT_EQ(ask("no-such-key", "/api/v1/reading/who", question).status, 401);
    EXPECT_THAT(ask(add("people"), "/api/v1/reading/who", question).body, HasSubstr(R"(["ann"])"));
}

}  // namespace
}  // namespace footfall
