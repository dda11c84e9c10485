#include "tokens_routes/token_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace footfall::tokens::routes {
namespace {

using testing::HasSubstr;

TokenLines read_token_lines(std::string_view body) {
    return TokenLineReader{body}.next(1000);
}

TEST(TokenLines, reads_objects_tokens_and_ttls_with_their_line_numbers) {
    const auto lines = read_token_lines(
        "{\"object\":\"a\",\"token\":\"t1\"}\n"
        "\n"
        "  \r\n"
        "{\"token\":\"t\\u00fc\",\"ttl\":60,\"object\":\"b\",\"more\":[1,{\"object\":2}]}\r\n"
        "{\"object\":\"c\",\"token\":\"t3\"}"
    );
    EXPECT_TRUE(lines.rejected.empty());
    ASSERT_EQ(lines.good.size(), 3U);
    EXPECT_EQ(lines.good[0].line, 1U);
    EXPECT_EQ(lines.good[0].object, "a");
    EXPECT_EQ(lines.good[0].ttl, std::nullopt);
    EXPECT_EQ(lines.good[1].line, 4U);
    EXPECT_EQ(lines.good[1].token, "t\xc3\xbc");
    EXPECT_EQ(lines.good[1].ttl, std::chrono::seconds{60});
    EXPECT_EQ(lines.good[2].line, 5U);
}

TEST(TokenLines, rejects_each_bad_line_by_itself_and_says_why) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"nonsense", "not a JSON object"},
        {"[1]", "not a JSON object"},
        {"{\"object\":\"a\"}", "token is missing"},
        {"{\"token\":\"a\"}", "object is missing"},
        {"{}", "object is missing"},
        {"{\"object\":1,\"token\":\"t\"}", "object must be a string"},
        {"{\"object\":\"a\",\"token\":null}", "token must be a string"},
        {"{\"object\":\"a\",\"token\":\"t\",\"ttl\":0}", "ttl must be a whole number"},
        {"{\"object\":\"a\",\"token\":\"t\",\"ttl\":1.5}", "ttl must be a whole number"},
        {"{\"object\":\"a\",\"token\":\"t\",\"ttl\":\"60\"}", "ttl must be a whole number"},
        {"{\"object\":\"a\",\"token\":\"t\"} {}", "text behind"},
        {"{\"object\":\"a\",\"token\":\"t\"", ""},
        {"{\"object\":\"\",\"token\":\"t\"}", "object name is empty"},
        {"{\"object\":\"a\",\"token\":\"\"}", "token is empty"},
        {"{\"object\":\"" + std::string(1025, 'x') + "\",\"token\":\"t\"}", "1025 bytes"},
        {"{\"object\":\"\xff\",\"token\":\"t\"}", ""},
    };
    for (const auto& [line, reason] : cases) {
        const auto lines = read_token_lines(line + "\n{\"object\":\"a\",\"token\":\"t\"}\n");
        ASSERT_EQ(lines.rejected.size(), 1U) << line;
        EXPECT_EQ(lines.rejected[0].line, 1U);
        EXPECT_EQ(lines.rejected[0].type, "/problems/invalid-input");
        EXPECT_THAT(lines.rejected[0].detail, HasSubstr(reason)) << line;
        EXPECT_EQ(lines.good.size(), 1U) << line;
    }
}

TEST(TokenLines, counts_lines_that_are_not_blank) {
    EXPECT_EQ(count_token_lines(""), 0U);
    EXPECT_EQ(count_token_lines("\n \r\n"), 0U);
    EXPECT_EQ(count_token_lines("a\n\nb"), 2U);
    EXPECT_EQ(count_token_lines("a\nb\n"), 2U);
}

TEST(TokenLines, come_some_at_a_time) {
    const std::string good = "{\"object\":\"a\",\"token\":\"t\"}\n";
    const std::string body = good + "\n" + good + "nonsense\n" + good;
    TokenLineReader reader{body};
    const TokenLines first = reader.next(2);
    ASSERT_EQ(first.good.size(), 2U);
    EXPECT_EQ(first.good[1].line, 3U);
    EXPECT_FALSE(reader.done());
    const TokenLines second = reader.next(2);
    ASSERT_EQ(second.rejected.size(), 1U);
    EXPECT_EQ(second.rejected[0].line, 4U);
    ASSERT_EQ(second.good.size(), 1U);
    EXPECT_EQ(second.good[0].line, 5U);
    EXPECT_TRUE(reader.done());
    EXPECT_TRUE(reader.next(2).good.empty());
}

}  // namespace
}  // namespace footfall::tokens::routes
