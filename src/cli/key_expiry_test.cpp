#include "cli/key_expiry.h"

#include "events/rfc3339.h"

#include <gtest/gtest.h>

namespace footfall::cli {
namespace {

const Instant now = *events::parse_rfc3339("2026-11-22T10:00:00Z");

std::string expiry(const char* text) {
    const auto parsed = parse_key_expiry(text, now);
    return parsed ? events::format_rfc3339(*parsed) : "";
}

TEST(KeyExpiry, is_a_duration_a_day_or_a_time) {
    EXPECT_EQ(expiry("90d"), "2027-02-20T10:00:00Z");
    EXPECT_EQ(expiry("12h"), "2026-11-22T22:00:00Z");
    EXPECT_EQ(expiry("60"), "2026-11-22T10:01:00Z");
    EXPECT_EQ(expiry("2027-06-30"), "2027-07-01T00:00:00Z") << "that day is still good";
    EXPECT_EQ(expiry("2027-06-30T12:00:00+02:00"), "2027-06-30T10:00:00Z");
}

TEST(KeyExpiry, that_is_none_is_refused) {
    for (const char* wrong :
         {"", "soon", "-1d", "1w", "2027-02-30", "36501d", "2027-06-30 12:00"}) {
        const auto parsed = parse_key_expiry(wrong, now);
        ASSERT_FALSE(parsed) << wrong;
        EXPECT_EQ(parsed.error().kind, ErrorKind::invalid_input);
    }
}

}  // namespace
}  // namespace footfall::cli
