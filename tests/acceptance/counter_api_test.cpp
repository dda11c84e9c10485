#include "test_support/raw_connection.h"
#include "test_support/running_server.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <string>
#include <string_view>

namespace footfall {
namespace {

using http_server::ClientResponse;
using http_server::Method;
using namespace test_support;

class CounterApi : public RunningServer {};

TEST_F(CounterApi, put_answers_the_count_after_the_write_and_counts_a_token_once) {
    const ClientResponse first = api_.send(Method::put, "/api/v1/counter/a", "t1");
    EXPECT_EQ(first.status, 200);
    EXPECT_EQ(first.body, "1\n");
    EXPECT_TRUE(first.content_type.starts_with("text/plain")) << first.content_type;

    EXPECT_EQ(api_.put("a", "t2"), 2U);
    EXPECT_EQ(api_.put("a", "t1"), 2U);
    EXPECT_EQ(api_.count("a"), 2U);
    EXPECT_EQ(api_.put("b", "t1"), 1U);
}

TEST_F(CounterApi, json_by_accept_has_the_agreed_fields_in_the_agreed_order) {
    const ClientResponse put = api_.send(Method::put, "/api/v1/counter/a%22", "t1", true);
    EXPECT_EQ(put.content_type, "application/json");
    EXPECT_EQ(
        put.body,
        R"({"object":"a\"","counter":"default","count":1,"exact":true,"at_least":false,"limit":100000})"
        "\n"
    );
    EXPECT_EQ(api_.send(Method::get, "/api/v1/counter/a%22", {}, true).body, put.body);
}

TEST_F(CounterApi, get_of_an_unknown_object_answers_0_and_writes_nothing) {
    EXPECT_EQ(api_.send(Method::get, "/api/v1/counter/nobody").body, "0\n");
    EXPECT_EQ(api_.counter_json("nobody").at("count").to_number<int>(), 0);
    EXPECT_EQ(
        boost::json::serialize(api_.get_json("/api/v1/counters")), R"({"counters":[],"next":null})"
    );
    EXPECT_EQ(api_.metric("footfall_tokens_put_total"), 0U);
}

TEST_F(CounterApi, a_body_is_the_token_byte_by_byte_whatever_its_content_type) {
    using namespace std::string_view_literals;
    const std::string_view tokens[] = {
        "t", "t\n", " t", "T", "\0"sv, "\0\0"sv, "\xff\xfe", "{\"json\":1}", "a=b&c=d"
    };
    http_server::Client client = server_.client();
    std::uint64_t count = 0;
    for (const std::string_view token : tokens) {
        const auto answer = must(client.send(
            Method::put,
            "/api/v1/counter/a",
            token,
            {{"Content-Type", "application/x-www-form-urlencoded"}}
        ));
        EXPECT_EQ(answer.body, fmt::format("{}\n", ++count));
    }
    EXPECT_EQ(api_.put("a", "\0"sv), count);
}

TEST_F(CounterApi, tokens_have_1_to_1024_bytes) {
    expect_problem(api_.send(Method::put, "/api/v1/counter/a"), 400, "invalid-input", "token");
    EXPECT_EQ(api_.put("a", std::string(1024, 't')), 1U);
    expect_problem(
        api_.send(Method::put, "/api/v1/counter/a", std::string(1025, 't')),
        413,
        "token-too-long",
        "token"
    );
    EXPECT_EQ(api_.count("a"), 1U);
}

TEST_F(CounterApi, names_are_1_to_1024_bytes_of_utf8) {
    EXPECT_EQ(api_.put(std::string(1024, '/'), "t"), 1U);
    for (const Method method : {Method::put, Method::get}) {
        for (const std::size_t size : {1025U, 6000U}) {
            expect_problem(
                api_.send(method, "/api/v1/counter/" + std::string(size, 'n'), "t"),
                414,
                "name-too-long",
                "object"
            );
        }
        for (const char* name :
             {"", "%ff", "%c3", "%C0%80", "%ed%a0%80", "a%f5b", "%", "%4", "%zz"}) {
            const std::string target = std::string{"/api/v1/counter/"} + name;
            SCOPED_TRACE(target);
            expect_problem(api_.send(method, target, "t"), 400, "invalid-input", "object");
        }
    }
}

TEST_F(CounterApi, names_in_paths_are_percent_encoded) {
    const struct {
        const char* path;
        std::string_view name;
    } cases[] = {
        {"a%2Fb", "a/b"},
        {"a/b/c", "a/b/c"},
        {"https%3A%2F%2Fexample.com%2F%3Fq%3D1%23top", "https://example.com/?q=1#top"},
        {"two%20words", "two words"},
        {"a+b", "a+b"},
        {"a%2bc", "a+c"},
        {"%C3%BC%E2%82%AC%F0%9F%91%A3", "ü€👣"},
        {"100%25", "100%"},
        {"..", ".."},
        {"%2e/./x//", "././x//"},
        {"a%00b", std::string_view{"a\0b", 3}},
    };

    for (const auto& [path, name] : cases) {
        SCOPED_TRACE(path);
        const std::string target = std::string{"/api/v1/counter/"} + path;
        EXPECT_EQ(api_.send(Method::put, target, "t").body, "1\n");
        const auto json = parse_object(api_.send(Method::get, target, {}, true).body);
        EXPECT_EQ(std::string_view{json.at("object").as_string()}, name);
        EXPECT_EQ(api_.count(name), 1U);
    }
    EXPECT_EQ(api_.count("a b"), 0U);
    EXPECT_EQ(api_.count("a c"), 0U);
}

TEST_F(CounterApi, a_ttl_is_a_whole_number_of_seconds_above_0) {
    for (const char* ttl :
         {"0", "-1", "1.5", "abc", "", "1s", "630720001", "99999999999999999999"}) {
        const std::string target = std::string{"/api/v1/counter/a?ttl="} + ttl;
        SCOPED_TRACE(target);
        expect_problem(api_.send(Method::put, target, "t"), 400, "invalid-input", "ttl");
    }
    EXPECT_EQ(api_.count("a"), 0U);
    EXPECT_EQ(api_.put("a", "t", "?ttl=630720000"), 1U);
    EXPECT_EQ(api_.put("a", "u", "?ttl=%36%30"), 2U);
}

TEST_F(CounterApi, an_unknown_counter_is_404_and_names_itself) {
    for (const Method method : {Method::put, Method::get}) {
        const auto answer = api_.send(method, "/api/v1/counter/a?counter=other", "t");
        expect_problem(answer, 404, "not-found", "counter");
        EXPECT_NE(answer.body.find("other"), std::string::npos) << answer.body;
    }
    expect_problem(
        api_.send(Method::post, "/api/v1/counter?counter=other"), 404, "not-found", "counter"
    );
    EXPECT_EQ(api_.put("a", "t", "?counter=default"), 1U);
    EXPECT_EQ(api_.count("a", "?counter=default"), 1U);
}

TEST_F(CounterApi, an_unknown_path_is_404) {
    for (const char* path :
         {"/api", "/api/v1", "/api/v1/nothing", "/api/v2/counter/a", "/nothing"}) {
        SCOPED_TRACE(path);
        expect_problem(api_.send(Method::get, path), 404, "not-found", "");
    }
}

TEST_F(CounterApi, a_wrong_method_is_405_and_says_which_would_do) {
    const struct {
        const char* request;
        const char* allowed;
    } cases[] = {
        {"DELETE /api/v1/counter/a", "PUT, GET"},
        {"PATCH /api/v1/counter/a", "PUT, GET"},
        {"PUT /api/v1/counter", "POST"},
        {"POST /api/v1/counters", "GET"},
        {"POST /healthz/ready", "GET"},
    };

    for (const auto& [request, allowed] : cases) {
        SCOPED_TRACE(request);
        const std::string answer =
            ask_raw(server_.port(), fmt::format("{} HTTP/1.1\r\nHost: 127.0.0.1\r\n", request));
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 405 ")) << answer;
        EXPECT_NE(answer.find(fmt::format("\r\nAllow: {}", allowed)), std::string::npos) << answer;
        EXPECT_NE(answer.find("\r\nContent-Type: application/problem+json"), std::string::npos);
    }
}

TEST_F(CounterApi, health_and_metrics_are_at_hand) {
    EXPECT_EQ(api_.send(Method::get, "/healthz/live").status, 200);
    EXPECT_EQ(api_.send(Method::get, "/healthz/ready").status, 200);
    api_.put("a", "t");
    api_.put("a", "t");
    EXPECT_EQ(api_.metric("footfall_tokens_put_total"), 2U);
    EXPECT_EQ(api_.metric("footfall_tokens_added_total"), 1U);
}

}  // namespace
}  // namespace footfall
