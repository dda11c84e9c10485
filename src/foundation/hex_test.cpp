#include "foundation/hex.h"

#include <gtest/gtest.h>

namespace footfall {
namespace {

TEST(Hex, comes_back) {
    const std::string bytes{"\0\x7f\xff a", 5};
    EXPECT_EQ(hex(bytes), "007fff2061");
    EXPECT_EQ(unhex(hex(bytes)), bytes);
    EXPECT_EQ(unhex("0"), std::nullopt);
    EXPECT_EQ(unhex("0g"), std::nullopt);
    EXPECT_EQ(unhex("A0"), std::nullopt);
}

}  // namespace
}  // namespace footfall
