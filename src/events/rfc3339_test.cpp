#include "events/rfc3339.h"

#include <gtest/gtest.h>

#include <string>

namespace footfall::events {
namespace {

using namespace std::chrono_literals;

/// As text again, or "none".
std::string time_again(std::string_view text) {
    const auto instant = parse_rfc3339(text);
    return instant ? format_rfc3339(*instant) : "none";
}

TEST(Rfc3339, reads_what_the_standard_gives_as_examples) {
    EXPECT_EQ(time_again("1985-04-12T23:20:50.52Z"), "1985-04-12T23:20:50.520Z");
    EXPECT_EQ(time_again("1996-12-19T16:39:57-08:00"), "1996-12-20T00:39:57Z");
    EXPECT_EQ(time_again("1990-12-31T23:59:60Z"), "1991-01-01T00:00:00Z");
    EXPECT_EQ(time_again("1990-12-31T15:59:60.7-08:00"), "1991-01-01T00:00:00Z");
}

TEST(Rfc3339, reads_small_letters_a_space_and_any_fraction) {
    EXPECT_EQ(time_again("2026-11-21t10:00:00z"), "2026-11-21T10:00:00Z");
    EXPECT_EQ(time_again("2026-11-21 10:00:00+00:00"), "2026-11-21T10:00:00Z");
    EXPECT_EQ(time_again("2026-11-21T10:00:00.1234567890123Z"), "2026-11-21T10:00:00.123456Z");
    EXPECT_EQ(time_again("2026-11-21T10:00:00.000001Z"), "2026-11-21T10:00:00.000001Z");
    EXPECT_EQ(time_again("2024-02-29T00:00:00Z"), "2024-02-29T00:00:00Z");
    EXPECT_EQ(time_again("1970-01-01T00:00:00Z"), "1970-01-01T00:00:00Z");
    EXPECT_EQ(time_again("9999-12-31T23:59:59.999999Z"), "9999-12-31T23:59:59.999999Z");
}

TEST(Rfc3339, refuses_what_is_no_time) {
    for (const char* wrong :
         {"",
          "2026-11-21",
          "2026-11-21T10:00:00",
          "2026-11-21T10:00Z",
          "2026-11-21T24:00:00Z",
          "2026-11-21T10:60:00Z",
          "2026-11-21T10:00:61Z",
          "2026-11-21T10:00:00.Z",
          "2026-11-21T10:00:00+0200",
          "2026-11-21T10:00:00+24:00",
          "2026-11-21T10:00:00Z ",
          "2023-02-29T10:00:00Z",
          "2026-13-01T10:00:00Z",
          "2026-00-01T10:00:00Z",
          "26-11-21T10:00:00Z",
          "+026-11-21T10:00:00Z",
          "1969-12-31T23:59:59Z",
          "1970-01-01T00:59:59+01:00",
          "1700000000"}) {
        EXPECT_EQ(time_again(wrong), "none") << wrong;
    }
}

TEST(Rfc3339, tells_what_is_too_early_from_what_is_no_time) {
    for (const char* early :
         {"1969-12-31T23:59:59Z", "1970-01-01T00:59:59+01:00", "0000-01-01T00:00:00Z"}) {
        const auto time = parse_any_rfc3339(early);
        EXPECT_TRUE(time && *time < Instant{}) << early;
    }
    EXPECT_FALSE(parse_any_rfc3339("1969-02-29T23:59:59Z"));
}

}  // namespace
}  // namespace footfall::events
