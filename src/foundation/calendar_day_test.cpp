#include "foundation/calendar_day.h"

#include <gtest/gtest.h>

namespace footfall {
namespace {

TEST(CalendarDay, is_read_and_written) {
    EXPECT_EQ(parse_day("1970-01-01"), 0);
    EXPECT_EQ(parse_day("2000-02-29"), 11016);
    EXPECT_EQ(parse_day("1969-12-31"), -1);
    EXPECT_EQ(format_day(0), "1970-01-01");
    for (const std::int32_t day : {-719'528, -1, 0, 11'016, 20'778, 2'932'896}) {
        EXPECT_EQ(parse_day(format_day(day)), day) << day;
    }
}

TEST(CalendarDay, that_is_none_is_not_read) {
    for (const char* none :
         {"",
          "2026",
          "2026-1-1",
          "2026-02-29",
          "2026-13-01",
          "2026-00-10",
          "2026-11-31",
          "2026/11/21",
          "+026-11-21",
          "2026-11-21T",
          "20261-1-21"}) {
        EXPECT_EQ(parse_day(none), std::nullopt) << none;
    }
}

}  // namespace
}  // namespace footfall
