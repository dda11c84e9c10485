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

}  // namespace
}  // namespace footfall
