#include "foundation/parse_number.h"

#include <gtest/gtest.h>

namespace footfall {
namespace {

TEST(ParseUnsigned, reads_digits_and_nothing_else) {
    EXPECT_EQ(parse_unsigned("0"), 0U);
    EXPECT_EQ(parse_unsigned("007"), 7U);
    EXPECT_EQ(parse_unsigned("18446744073709551615"), 18446744073709551615U);
    for (const std::string_view bad :
         {"", " 1", "1 ", "+1", "-1", "1.0", "0x1", "18446744073709551616", "1e3"}) {
        EXPECT_EQ(parse_unsigned(bad), std::nullopt) << bad;
    }
}

TEST(ParseDuration, takes_a_number_and_its_unit) {
    EXPECT_EQ(parse_duration("90"), std::chrono::seconds{90});
    EXPECT_EQ(parse_duration("90s"), std::chrono::seconds{90});
    EXPECT_EQ(parse_duration("15m"), std::chrono::minutes{15});
    EXPECT_EQ(parse_duration("2h"), std::chrono::hours{2});
    EXPECT_EQ(parse_duration("7d"), std::chrono::hours{7 * 24});
    for (const std::string_view wrong : {"", "d", "1w", "1.5h", "-1", " 1"}) {
        EXPECT_EQ(parse_duration(wrong), std::nullopt) << wrong;
    }
}

}  // namespace
}  // namespace footfall
