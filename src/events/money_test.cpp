#include "events/money.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace footfall::events {
namespace {

std::string money_again(std::string_view text) {
    const auto amount = parse_money(text);
    return amount ? format_money(*amount) : "none";
}

TEST(Money, is_read_exactly) {
    EXPECT_EQ(parse_money("0.005"), 5'000);
    EXPECT_EQ(parse_money("-0.000001"), -1);
    EXPECT_EQ(parse_money("12"), 12'000'000);
    EXPECT_EQ(parse_money("3.10"), 3'100'000);
    EXPECT_EQ(parse_money("1000000000000"), largest_amount);
    EXPECT_EQ(parse_money("-1000000000000.000000"), -largest_amount);
}

TEST(Money, is_written_as_short_as_it_can_be) {
    EXPECT_EQ(money_again("3.10"), "3.1");
    EXPECT_EQ(money_again("-0.050000"), "-0.05");
    EXPECT_EQ(money_again("007"), "7");
    EXPECT_EQ(money_again("0"), "0");
    EXPECT_EQ(money_again("-0"), "0");
    EXPECT_EQ(money_again("100"), "100");
    EXPECT_EQ(format_money(std::numeric_limits<Micros>::min()), "-9223372036854.775808");
}

TEST(Money, that_is_none_is_refused) {
    for (const char* wrong :
         {"",
          "-",
          ".",
          ".5",
          "5.",
          "+5",
          "1e3",
          "1,5",
          " 1",
          "1 ",
          "--1",
          "0.0000001",
          "1.-5",
          "0x10",
          "1000000000000.000001",
          "99999999999999999999"}) {
        EXPECT_EQ(money_again(wrong), "none") << wrong;
    }
}

}  // namespace
}  // namespace footfall::events
