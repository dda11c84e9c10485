#include "segment_reports/report.h"

#include <gtest/gtest.h>

namespace footfall::segment_reports {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::sys_days the_28th{std::chrono::year{2026} / 11 / 28};
constexpr std::int32_t day_of_28th = 20785;

Report report_made_at(Instant created) {
    return {.name = "daily", .segments = {"a", "b"}, .minute = 6 * 60 + 30, .created = created};
}

TEST(Report, is_due_from_its_time_of_the_day_on) {
    const Report report = report_made_at(the_28th + 6h);
    EXPECT_EQ(due_day(report, the_28th + 6h + 29min), std::nullopt);
    EXPECT_EQ(due_day(report, the_28th + 6h + 30min), day_of_28th);
    EXPECT_EQ(due_day(report, the_28th + 24h + 6h), day_of_28th);
    EXPECT_EQ(due_day(report, the_28th + 24h + 6h + 30min), day_of_28th + 1);
}

TEST(Report, is_not_due_for_a_time_at_which_it_was_not_there) {
    const Report report = report_made_at(the_28th + 7h);
    EXPECT_EQ(due_day(report, the_28th + 23h), std::nullopt);
    EXPECT_EQ(due_day(report, the_28th + 24h + 7h), day_of_28th + 1);
}

TEST(Report, has_a_time_of_a_day) {
    EXPECT_EQ(minute_of("00:00"), 0);
    EXPECT_EQ(minute_of("23:59"), 24 * 60 - 1);
    EXPECT_EQ(time_of(6 * 60 + 5), "06:05");
    for (const std::string_view wrong :
         {"", "6:30", "24:00", "12:60", "12.30", "-1:00", "12:3x", "12:30 "}) {
        EXPECT_FALSE(minute_of(wrong)) << wrong;
    }
}

}  // namespace
}  // namespace footfall::segment_reports
