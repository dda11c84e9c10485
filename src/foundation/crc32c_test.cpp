#include "foundation/crc32c.h"

#include <gtest/gtest.h>

namespace footfall {
namespace {

TEST(Crc32c, has_the_values_of_the_standard) {
    EXPECT_EQ(crc32c("123456789"), 0xe3069283);
    EXPECT_EQ(crc32c_by_table("123456789"), 0xe3069283);
    EXPECT_EQ(crc32c("6789", crc32c("12345")), 0xe3069283);
}

}  // namespace
}  // namespace footfall
