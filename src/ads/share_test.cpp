#include "ads/share.h"

#include <gtest/gtest.h>

#include <string>

namespace footfall::ads {
namespace {

TEST(Share, is_decimal_text_from_0_to_1) {
    for (const std::string_view text : {"0", "1", "0.3", "0.000001", "0.999999", "0.25"}) {
        const auto share = parse_share(text);
        ASSERT_TRUE(share) << text;
        EXPECT_EQ(format_share(*share), text);
    }
    EXPECT_EQ(parse_share("0.300000").value_or(0), 300'000U);
    EXPECT_EQ(parse_share("1.0").value_or(0), whole);
}

TEST(Share, anything_else_is_told_what_30_percent_is) {
    for (const std::string_view text :
         {"",
          "30",
          "30%",
          "1.000001",
          "-0.1",
          "-0",
          "0.0000001",
          ".3",
          "0,3",
          "3e-1",
          " 0.3",
          "0.3 ",
          "NaN",
          "1.",
          "99999999999999999999"}) {
        const auto share = parse_share(text);
        ASSERT_FALSE(share) << text;
        EXPECT_EQ(share.error().kind, ErrorKind::invalid_input);
        EXPECT_NE(share.error().message.find("30 % is \"0.3\""), std::string::npos);
    }
}

}  // namespace
}  // namespace footfall::ads
