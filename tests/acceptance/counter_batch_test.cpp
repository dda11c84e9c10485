#include "test_support/running_server.h"

#include <boost/json/array.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using testing::ElementsAre;
using testing::IsEmpty;
using namespace test_support;

class CounterBatch : public RunningServer {
protected:
    /// Line numbers and types of what was rejected.
    static std::vector<std::pair<int, std::string>> rejected(const boost::json::object& answer) {
        std::vector<std::pair<int, std::string>> found;
        for (const auto& each : answer.at("rejected").as_array()) {
            EXPECT_NE(each.at("detail").as_string(), "");
            found.emplace_back(each.at("line").to_number<int>(), each.at("type").as_string());
        }
        return found;
    }

    static int accepted(const boost::json::object& answer) {
        return answer.at("accepted").to_number<int>();
    }

    static std::string many_lines(int count) {
        std::string lines;
        for (int line = 0; line < count; ++line) {
            lines +=
                fmt::format("{{\"object\":\"o{}\",\"token\":\"t{}\"}}\n", line % 10, line / 10);
        }
        return lines;
    }
};

TEST_F(CounterBatch, takes_good_lines_and_names_the_bad_ones_by_their_number) {
    const auto answer = api_.post_lines(
        "{\"object\":\"a\",\"token\":\"1\"}\n"
        "not json\n"
        "\n"
        "  \t\r\n"
        "{\"object\":\"a\",\"token\":\"2\",\"ttl\":60}\r\n"
        "{\"object\":\"a\"}\n"
        "{\"token\":\"1\"}\n"
        "{\"object\":\"a\",\"token\":\"\"}\n"
        "{\"object\":\"\",\"token\":\"1\"}\n"
        "{\"object\":\"a\",\"token\":5}\n"
        "{\"object\":\"a\",\"token\":\"3\",\"ttl\":0}\n"
        "{\"object\":\"a\",\"token\":\"3\",\"ttl\":1.5}\n"
        "{\"object\":\"a\",\"token\":\"3\",\"ttl\":\"60\"}\n"
        "[\"a\"]\n"
        "{\"object\":\"a\",\"token\":\"3\"} {}\n"
        "{\"object\":\"a\",\"token\":\"\xff\"}\n"
        "{\"object\":\"a\",\"token\":\"1\",\"unknown\":[1,2]}"
    );
    EXPECT_EQ(accepted(answer), 3);
    std::vector<std::pair<int, std::string>> expected;
    for (const int line : {2, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}) {
        expected.emplace_back(line, "/problems/invalid-input");
    }
    EXPECT_EQ(rejected(answer), expected);
    EXPECT_EQ(api_.count("a"), 2U);
}

TEST_F(CounterBatch, answers_for_many_objects_in_one_call_and_a_second_call_adds_nothing) {
    const std::string lines = many_lines(30'000);
    for (int run = 0; run < 2; ++run) {
        const auto answer = api_.post_lines(lines);
        EXPECT_EQ(accepted(answer), 30'000);
        EXPECT_THAT(rejected(answer), IsEmpty());
        for (int object = 0; object < 10; ++object) {
            EXPECT_EQ(api_.count(fmt::format("o{}", object)), 3000U);
        }
    }
}

TEST_F(CounterBatch, an_empty_body_holds_no_lines) {
    for (const char* body : {"", "\n", "\n\n \n"}) {
        const auto answer = api_.post_lines(body);
        EXPECT_EQ(accepted(answer), 0);
        EXPECT_THAT(rejected(answer), IsEmpty());
    }
}

TEST_F(CounterBatch, names_and_tokens_are_bounded_as_in_put) {
    const auto line = [](std::size_t name, std::size_t token) {
        return fmt::format(
            "{{\"object\":\"{}\",\"token\":\"{}\"}}\n",
            std::string(name, 'n'),
            std::string(token, 't')
        );
    };
    const auto answer =
        api_.post_lines(line(1024, 1024) + line(1025, 1) + line(1, 1025) + line(1, 1));
    EXPECT_EQ(accepted(answer), 2);
    EXPECT_THAT(
        rejected(answer),
        ElementsAre(
            std::pair{2, std::string{"/problems/invalid-input"}},
            std::pair{3, std::string{"/problems/invalid-input"}}
        )
    );
}

TEST_F(CounterBatch, a_token_is_the_same_by_batch_and_by_put) {
    api_.post_lines("{\"object\":\"a\",\"token\":\"t\\u00fc\\n\"}\n");
    EXPECT_EQ(api_.put("a", "tü\n"), 1U);
}

TEST_F(CounterBatch, has_at_most_100000_lines_and_one_more_stores_nothing) {
    const std::string lines = many_lines(100'000);
    expect_problem(
        api_.send(Method::post, "/api/v1/counter", lines + "{\"object\":\"o\",\"token\":\"t\"}\n"),
        413,
        "too-many-lines",
        ""
    );
    EXPECT_EQ(api_.count("o0"), 0U);
    EXPECT_EQ(accepted(api_.post_lines(lines)), 100'000);
    EXPECT_EQ(api_.count("o0"), 10'000U);
}

TEST_F(CounterBatch, lines_may_be_packed_with_gzip_and_with_nothing_else) {
    // {"object":"packed","token":"t"}
    constexpr std::string_view packed{
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xab\x56\xca\x4f\xca\x4a"
        "\x4d\x2e\x51\xb2\x52\x2a\x48\x4c\xce\x4e\x4d\x51\xd2\x51\x2a\xc9"
        "\xcf\x4e\xcd\x03\x0a\x94\x28\xd5\x72\x01\x00\x5d\x11\x74\x60\x20"
        "\x00\x00\x00",
        51
    };
    http_server::Client client = server_.client();
    const auto taken =
        must(client.send(Method::post, "/api/v1/counter", packed, {{"Content-Encoding", "gzip"}}));
    EXPECT_EQ(taken.status, 200) << taken.body;
    EXPECT_EQ(api_.count("packed"), 1U);
    const auto answer =
        must(client.send(Method::post, "/api/v1/counter", "lines", {{"Content-Encoding", "br"}}));
    expect_problem(answer, 415, "unsupported-encoding", "Content-Encoding");
}

}  // namespace
}  // namespace footfall
