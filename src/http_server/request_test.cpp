#include "http_server/request.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

namespace footfall::http_server {
namespace {

std::optional<std::string> decoded(std::string_view text) {
    std::string into = "left over";
    return percent_decode(text, into) ? std::optional{into} : std::nullopt;
}

std::optional<std::string_view> query(std::string_view text, std::string_view name) {
    std::string_view value = "untouched";
    return query_value(text, name, value) ? std::optional{value} : std::nullopt;
}

TEST(PercentDecode, decodes_pairs_of_hex_digits_and_nothing_else) {
    EXPECT_EQ(decoded(""), "");
    EXPECT_EQ(decoded("a+b"), "a+b");
    EXPECT_EQ(decoded("caf%C3%a9"), "caf\xC3\xA9");
    EXPECT_EQ(decoded("%2F%2f"), "//");
    EXPECT_EQ(decoded("%00"), std::string(1, '\0'));
    EXPECT_EQ(decoded("%2541"), "%41");
}

TEST(PercentDecode, refuses_a_percent_sign_without_two_hex_digits) {
    for (const std::string_view text : {"%", "%4", "a%", "a%2", "%zz", "%4g", "%-1", "%%41"}) {
        EXPECT_EQ(decoded(text), std::nullopt) << text;
    }
}

TEST(QueryValue, finds_the_first_pair_of_that_name) {
    EXPECT_EQ(query("a=1&b=2&b=3", "b"), "2");
    EXPECT_EQ(query("a=1=2", "a"), "1=2");
    EXPECT_EQ(query("&&a=1", "a"), "1");
    EXPECT_EQ(query("a=%20", "a"), "%20");
}

TEST(QueryValue, tells_empty_from_absent) {
    EXPECT_EQ(query("a=", "a"), "");
    EXPECT_EQ(query("a", "a"), "");
    EXPECT_EQ(query("ab=1", "a"), std::nullopt);
    EXPECT_EQ(query("b=a", "a"), std::nullopt);
    EXPECT_EQ(query("", "a"), std::nullopt);
}

TEST(Accepts, finds_the_type_in_a_list_in_any_case) {
    EXPECT_TRUE(accepts("application/json", "application/json"));
    EXPECT_TRUE(accepts("text/html, Application/JSON;q=0.9 ,*/*", "application/json"));
}

TEST(Accepts, a_wildcard_asks_for_the_default) {
    for (const std::string_view header : {"", ",", "*/*", "application/*", "application/jsonp"}) {
        EXPECT_FALSE(accepts(header, "application/json")) << header;
    }
}

TEST(RequestHeader, is_found_in_any_case_and_the_first_one_counts) {
    Request request;
    request.headers = {{"Accept", "one"}, {"ACCEPT", "two"}};
    EXPECT_EQ(request.header("accept"), "one");
    EXPECT_EQ(request.header("accep"), "");
    EXPECT_EQ(request.header("accept-encoding"), "");
}

TEST(MethodName, is_the_word_of_the_request_line) {
    EXPECT_EQ(name_of(Method::get), "GET");
    EXPECT_EQ(name_of(Method::del), "DELETE");
    EXPECT_EQ(name_of(Method::other), "other");
}

}  // namespace
}  // namespace footfall::http_server
