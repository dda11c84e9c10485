#include "foundation/beginning_of.h"

#include <gtest/gtest.h>

#include <string_view>

namespace footfall {
namespace {

TEST(BeginningOf, ends_between_characters) {
    const std::string_view text = "a\u00e9\u20acb";  // of 1, 2, 3 and 1 bytes
    EXPECT_EQ(beginning_of(text, 7), text);
    EXPECT_EQ(beginning_of(text, 6), "a\u00e9\u20ac");
    EXPECT_EQ(beginning_of(text, 5), "a\u00e9");
    EXPECT_EQ(beginning_of(text, 2), "a");
    EXPECT_EQ(beginning_of(text, 0), "");
    EXPECT_EQ(beginning_of("\x80\x80", 1), "");
}

}  // namespace
}  // namespace footfall
