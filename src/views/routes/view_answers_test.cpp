#include "views_routes/view_answers.h"

#include <gmock/gmock.h>

#include <chrono>

namespace footfall::views::routes {
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
    Report report;
    report.standing = {.provisional = true, .stored = asked_at - 3s};
    EXPECT_THAT(
        report_json({.object = "page", .action = "view"}, report, asked_at),
        testing::HasSubstr(R"("error":0,"provisional":true,"age":3.000,"tz":"UTC")")
    );
}

TEST(ViewAnswers, know_nobody_of_reads) {
    Report report;
    report.people = 7;
    report.days = {{.day = 20'000, .people = 7}};
    const std::string json = report_json({.object = "page", .action = "read"}, report, asked_at);
    EXPECT_THAT(json, testing::HasSubstr(R"("people":null,"exact":null,"error":null)"));
    EXPECT_THAT(json, testing::HasSubstr(R"("refused":{},"people":null}])"));
    EXPECT_THAT(
        report_json({.object = "page", .action = "view"}, report, asked_at),
        testing::HasSubstr(R"("refused":{},"people":7}])")
    );
}

TEST(ViewAnswers, tell_apart_two_hours_that_the_clock_shows_alike) {
    const TimeZone berlin = *TimeZone::find("Europe/Berlin");
    const Instant put_back = Instant{std::chrono::sys_days{std::chrono::days{20'751}}} + 1h;
    Report report;
    report.hours = {
        {.begin = put_back - 1h, .counts = {.counted = 2, .refused = {{"repeat", 1}}}},
        {.begin = put_back, .counts = {}}
    };
    EXPECT_THAT(
        report_json(
            {.object = "page", .action = "view", .zone = berlin, .by_hour = true}, report, asked_at
        ),
        testing::EndsWith(
            R"(,"days":[],"hours":[)"
            R"({"hour":"2026-10-25T02:00:00+02:00","events":3,"counted":2,"refused":{"repeat":1}},)"
            R"({"hour":"2026-10-25T02:00:00+01:00","events":0,"counted":0,"refused":{}}]})"
        )
    );
    const auto first_hour = [&](const char* zone) {
        const std::string json = report_json(
            {.object = "page", .action = "view", .zone = *TimeZone::find(zone), .by_hour = true},
            report,
            asked_at
        );
        return json.substr(json.find(R"("hour":")") + 8, 25);
    };
    EXPECT_EQ(first_hour("UTC"), "2026-10-25T00:00:00+00:00");
    EXPECT_EQ(first_hour("America/St_Johns"), "2026-10-24T21:30:00-02:30");
    EXPECT_THAT(
        report_json({.object = "page", .action = "view"}, report, asked_at),
        testing::Not(testing::HasSubstr("hours"))
    ) << "hours were not asked for";
}

}  // namespace
}  // namespace footfall::views::routes
