#include "foundation/check.h"

#include <gtest/gtest.h>

namespace footfall {
namespace {

TEST(CheckDeathTest, says_what_failed_with_the_values_and_aborts) {
    const int size = 3;
    CHECK(size < 4, "must not fire", size);
    EXPECT_DEATH(
        CHECK(size < 3, "queue overrun", size, "abc"),
        "queue overrun \\(size < 3\\) with 3, abc at .*check_test"
    );
}

}  // namespace
}  // namespace footfall
