#include "storage/decimal.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace footfall::storage {
namespace {

using namespace std::string_literals;

constexpr Wide highest = std::numeric_limits<Wide>::max();
constexpr Wide lowest = std::numeric_limits<Wide>::min();

struct Case {
    Wide number;
    std::string bytes;
    std::string text;
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {0, "\0"s, "0.000000"},
        {1, "\x01", "0.000001"},
        {-1, "\xff", "-0.000001"},
        {127, "\x7f", "0.000127"},
        {128, "\0\x80"s, "0.000128"},
        {-128, "\x80", "-0.000128"},
        {-129, "\xff\x7f", "-0.000129"},
        {5'000, "\x13\x88", "0.005000"},
        {-12'340'000, "\xff\x43\xb4\xe0", "-12.340000"},
        {std::numeric_limits<std::int64_t>::max(),
         "\x7f\xff\xff\xff\xff\xff\xff\xff",
         "9223372036854.775807"},
        {Wide{std::numeric_limits<std::int64_t>::max()} + 1,
         "\0\x80\0\0\0\0\0\0\0"s,
         "9223372036854.775808"},
        {std::numeric_limits<std::int64_t>::min(), "\x80\0\0\0\0\0\0\0"s, "-9223372036854.775808"},
        {Wide{std::numeric_limits<std::int64_t>::min()} - 1,
         "\xff\x7f\xff\xff\xff\xff\xff\xff\xff",
         "-9223372036854.775809"},
        {highest, "\x7f" + std::string(15, '\xff'), "170141183460469231731687303715884.105727"},
        {lowest, "\x80" + std::string(15, '\0'), "-170141183460469231731687303715884.105728"}
    };
    return all;
}

TEST(Decimal, is_the_shortest_bytes_of_its_millionths) {
    for (const Case& each : cases()) {
        EXPECT_EQ(decimal_bytes(each.number), each.bytes) << each.text;
        const Result<Wide> read = decimal_of(each.bytes);
        ASSERT_TRUE(read) << each.text;
        EXPECT_TRUE(*read == each.number) << each.text;
        EXPECT_TRUE(is_decimal(each.bytes)) << each.text;
    }
}

TEST(Decimal, is_text_with_six_decimals) {
    for (const Case& each : cases()) {
        EXPECT_EQ(decimal_text(each.number), each.text);
        EXPECT_TRUE(parse_decimal(each.text) == each.number) << each.text;
    }
}

TEST(Decimal, is_read_with_fewer_decimals_too) {
    EXPECT_TRUE(parse_decimal("0.005") == Wide{5'000});
    EXPECT_TRUE(parse_decimal("-7.5") == Wide{-7'500'000});
    EXPECT_TRUE(parse_decimal("12") == Wide{12'000'000});
    EXPECT_TRUE(parse_decimal("-0") == Wide{0});
    EXPECT_TRUE(
        parse_decimal("0000000000000000000000000000000000000000000000001") == Wide{1'000'000}
    );
}

TEST(Decimal, that_is_none_or_not_exact_or_too_large_is_not_read) {
    for (const char* text :
         {"",
          "-",
          ".",
          ".5",
          "5.",
          "-.5",
          "--5",
          "+5",
          " 5",
          "5 ",
          "1,5",
          "1e3",
          "0.0000005",
          "1.2.3",
          "0x10",
          "170141183460469231731687303715884.105728",
          "-170141183460469231731687303715884.105729",
          "170141183460469231731687303715885",
          "1000000000000000000000000000000000000000"}) {
        EXPECT_FALSE(parse_decimal(text)) << text;
    }
}

TEST(Decimal, bytes_that_are_none_or_too_many_are_corrupt) {
    for (const std::string& bytes : {""s, std::string(17, '\0')}) {
        const Result<Wide> read = decimal_of(bytes);
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().kind, ErrorKind::corrupt);
        EXPECT_FALSE(is_decimal(bytes));
    }
}

TEST(Decimal, bytes_may_be_longer_than_need_be_but_are_not_ours) {
    for (const std::string& bytes : {"\0\x01"s, "\0\0"s, "\xff\xff"s, std::string(16, '\xff')}) {
        EXPECT_FALSE(is_decimal(bytes));
    }
    EXPECT_TRUE(decimal_of("\0\x01"s).value() == 1);
    EXPECT_TRUE(decimal_of(std::string(16, '\xff')).value() == -1);
}

}  // namespace
}  // namespace footfall::storage
