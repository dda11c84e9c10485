#include "foundation/fixed_bytes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace footfall {
namespace {

TEST(FixedBytes, stand_lowest_first_and_come_as_they_were) {
    std::string bytes;
    append_fixed(std::uint32_t{0x01020304}, bytes);
    EXPECT_EQ(bytes, std::string({4, 3, 2, 1}));
    append_fixed(std::numeric_limits<std::int64_t>::min(), bytes);
    append_fixed(std::int32_t{-2}, bytes);
    append_fixed(char{-1}, bytes);
    std::string_view left = bytes;
    std::uint32_t first = 0;
    std::int64_t least = 0;
    std::int32_t negative = 0;
    char last = 0;
    ASSERT_TRUE(take_fixed(left, first) && take_fixed(left, least) && take_fixed(left, negative));
    EXPECT_EQ(first, 0x01020304U);
    EXPECT_EQ(least, std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(negative, -2);
    EXPECT_FALSE(take_fixed(left, first)) << "a byte is left";
    ASSERT_TRUE(take_fixed(left, last));
    EXPECT_EQ(last, -1);
    EXPECT_TRUE(left.empty());
}

}  // namespace
}  // namespace footfall
