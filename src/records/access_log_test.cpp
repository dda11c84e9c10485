#include "records/access_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace footfall::records {
namespace {

using testing::ElementsAre;

constexpr std::string_view whole_line =
    R"(192.0.2.7 - ann [17/May/2015:10:05:03 +0000] "GET /a?b=c HTTP/1.1" 200 203023 )"
    R"x("http://example.org/" "Mozilla/5.0 (X11; Linux)")x";

/// A combined line with this request line.
std::string with_request(std::string_view request) {
    return "::1 - - [t] \"" + std::string{request} + "\" 200 1 \"-\" \"-\"";
}

std::string reason_of(std::string_view line, AccessLogFormat format) {
    const auto fields = parse_access_line(line, format);
    return fields ? "accepted" : fields.error().message;
}

TEST(AccessLog, takes_a_combined_line_apart) {
    EXPECT_THAT(
        *parse_access_line(whole_line, AccessLogFormat::combined),
        ElementsAre(
            "192.0.2.7",
            "ann",
            "17/May/2015:10:05:03 +0000",
            "GET",
            "/a?b=c",
            "200",
            "203023",
            "http://example.org/",
            "Mozilla/5.0 (X11; Linux)"
        )
    );
}

TEST(AccessLog, takes_a_common_line_apart) {
    EXPECT_THAT(
        *parse_access_line(
            R"(h.example ident - [t] "POST /x HTTP/2" 304 -)", AccessLogFormat::common
        ),
        ElementsAre("h.example", "-", "t", "POST", "/x", "304", "-", "", "")
    );
}

TEST(AccessLog, names_as_many_fields_as_the_format_has) {
    EXPECT_THAT(
        access_field_names(AccessLogFormat::common),
        ElementsAre("address", "user", "time", "method", "url", "status", "bytes")
    );
    EXPECT_EQ(access_field_names(AccessLogFormat::combined).size(), access_field_count);
    EXPECT_EQ(access_field_names(AccessLogFormat::combined)[8], "agent");
}

TEST(AccessLog, the_url_is_what_stands_between_method_and_protocol) {
    const struct {
        std::string_view request;
        std::string_view url;
    } cases[] = {
        {"GET / HTTP/1.0", "/"},
        {"GET /old", "/old"},
        {"GET /with space HTTP/1.1", "/with space"},
        {"GET /with space", "/with space"},
        {"M-SEARCH * HTTP/1.1", "*"},
        {"get http://a.example/%20 HTTP/1.1", "http://a.example/%20"},
        {R"(GET /\"quoted\" HTTP/1.1)", R"(/\"quoted\")"},
        {R"(GET /\\ HTTP/1.1)", R"(/\\)"},
        {R"(GET /\xe2\x80 HTTP/1.1)", R"(/\xe2\x80)"},
        {"GET /HTTP/1.1", "/HTTP/1.1"},
    };

    for (const auto& [request, url] : cases) {
        const auto line = with_request(request);
        const auto fields = parse_access_line(line, AccessLogFormat::combined);
        ASSERT_TRUE(fields) << request << ": " << fields.error().message;
        EXPECT_EQ((*fields)[static_cast<std::size_t>(AccessField::url)], url);
    }
}

TEST(AccessLog, accepts_what_real_logs_hold) {
    for (const std::string_view line : {
             R"(::1 - - [t] "GET / HTTP/1.1" 200 1 "-" "-" "203.0.113.9" 0.004)",
             R"(::1 - - [t] "GET / HTTP/1.1" 200 1 "" "")",
             R"(::1 - ann of kent [t] "GET / HTTP/1.1" 000 0 "a\\" "\"b\"")",
         }) {
        EXPECT_EQ(reason_of(line, AccessLogFormat::combined), "accepted") << line;
    }
}

TEST(AccessLog, says_what_is_wrong_with_a_line) {
    const struct {
        std::string line;
        std::string_view reason;
    } cases[] = {
        {"::1", "the line ends after the address"},
        {" - - [t]", "the address is missing"},
        {"::1 -", "the line ends after the ident"},
        {"::1 - -", "the opening bracket of the time is missing"},
        {"::1 -  [t]", "the user is missing"},
        {"::1 - - [t", "the closing bracket of the time is missing"},
        {"::1 - - []", "the time is empty"},
        {"::1 - - [t]", "the request is missing"},
        {"::1 - - [t] GET", "the request's opening quote is missing"},
        {R"(::1 - - [t] "GET / HTTP/1.1)", "the request's closing quote is missing"},
        {R"(::1 - - [t] "GET /\")", "the request's closing quote is missing"},
        {with_request(""), "the request does not begin with a method"},
        {with_request(R"(\x16\x03\x01 x)"), "the request does not begin with a method"},
        {with_request("-"), "the request has no url"},
        {with_request("GET"), "the request has no url"},
        {with_request("GET "), "the request has no url"},
        {with_request("GET HTTP/1.1"), "the request has no url"},
        {with_request("GET  HTTP/1.1"), "the request has no url"},
        {R"(::1 - - [t] "GET /")", "the status is missing"},
        {R"(::1 - - [t] "GET /"200 1)", "there is no space before the status"},
        {R"(::1 - - [t] "GET /" 200)", "the number of bytes is missing"},
        {R"(::1 - - [t] "GET /" 20x 1)", "the status is not a number of three digits"},
        {R"(::1 - - [t] "GET /" 2000 1)", "the status is not a number of three digits"},
        {R"(::1 - - [t] "GET /" 200 1k)", "the bytes are neither a number nor -"},
        {R"(::1 - - [t] "GET /" 200  "-" "-")", "the bytes are neither a number nor -"},
        {R"(::1 - - [t] "GET /" 200 1)", "the referrer is missing"},
        {R"(::1 - - [t] "GET /" 200 1 -)", "the referrer's opening quote is missing"},
        {R"(::1 - - [t] "GET /" 200 1 "-)", "the referrer's closing quote is missing"},
        {R"(::1 - - [t] "GET /" 200 1 "-")", "the agent is missing"},
        {R"(::1 - - [t] "GET /" 200 1 "-" "Mozilla)", "the agent's closing quote is missing"},
        {R"(::1 - - [t] "GET /" 200 1 "-" "a"b)", "text follows the agent's closing quote"},
    };

    for (const auto& [line, reason] : cases) {
        EXPECT_EQ(reason_of(line, AccessLogFormat::combined), reason) << line;
    }
}

TEST(AccessLog, a_combined_line_is_not_taken_for_a_common_one) {
    EXPECT_EQ(
        reason_of(whole_line, AccessLogFormat::common),
        "text follows the bytes; a log with referrer and agent is combined"
    );
}

TEST(AccessLog, a_line_cut_anywhere_is_refused) {
    for (std::size_t size = 0; size < whole_line.size(); ++size) {
        EXPECT_FALSE(parse_access_line(whole_line.substr(0, size), AccessLogFormat::combined))
            << size;
    }
}

}  // namespace
}  // namespace footfall::records
