#include "api/view_answers.h"

#include <gmock/gmock.h>

#include <chrono>

namespace footfall::api {
namespace {

using namespace std::chrono_literals;

constexpr Instant asked_at{1'790'000'000s};

TEST(ViewAnswers, say_how_old_what_is_provisional_may_be) {
    EXPECT_EQ(standing_json({}, asked_at), R"("provisional":false,"age":null)");
    EXPECT_EQ(standing_json({.provisional = true}, asked_at), R"("provisional":true,"age":null)")
        << "nobody knows";
    EXPECT_EQ(
        standing_json({.provisional = true, .stored = asked_at - 1500ms}, asked_at),
        R"("provisional":true,"age":1.500)"
    );
    EXPECT_EQ(
        standing_json({.provisional = true, .stored = asked_at + 2s}, asked_at),
        R"("provisional":true,"age":0.000)"
    ) << "another's clock is ahead";
    views::Report report;
    report.standing = {.provisional = true, .stored = asked_at - 3s};
    EXPECT_THAT(
        report_json({.object = "page", .action = "view"}, report, asked_at),
        testing::HasSubstr(R"("error":0,"provisional":true,"age":3.000,"tz":"UTC")")
    );
}

}  // namespace
}  // namespace footfall::api
