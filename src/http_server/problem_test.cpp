#include "http_server/problem.h"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace footfall::http_server {
namespace {

TEST(Problem, is_a_document_of_rfc_9457_with_a_stable_type) {
    const Response response = problem(400, "invalid-input", "say \"what\"\n", "token");
    EXPECT_EQ(response.status, 400);
    EXPECT_EQ(response.content_type, "application/problem+json");
    EXPECT_EQ(response.hold_until, 0U);
    const boost::json::value expected{
        {"type", "/problems/invalid-input"},
        {"title", "Bad Request"},
        {"status", 400},
        {"detail", "say \"what\"\n"},
        {"field", "token"}
    };
    EXPECT_EQ(boost::json::parse(response.body), expected);
}

TEST(Problem, names_no_field_when_none_is_at_fault) {
    const Response response = problem(404, "not-found", "nothing here");
    EXPECT_FALSE(boost::json::parse(response.body).as_object().contains("field"));
}

TEST(Problem, tells_when_to_come_back_only_if_coming_back_helps) {
    const std::vector<std::pair<std::string, std::string>> retry{{"Retry-After", "1"}};
    EXPECT_EQ(problem(503, "overloaded", "").headers, retry);
    EXPECT_EQ(problem(429, "too-many", "").headers, retry);
    EXPECT_TRUE(problem(400, "invalid-input", "").headers.empty());
    EXPECT_TRUE(problem(500, "internal", "").headers.empty());
}

TEST(ReasonPhrase, is_known_for_what_is_sent) {
    EXPECT_EQ(reason_phrase(200), "OK");
    EXPECT_EQ(reason_phrase(413), "Content Too Large");
    EXPECT_EQ(reason_phrase(799), "Unknown");
}

}  // namespace
}  // namespace footfall::http_server
