#include "ads/money_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace footfall::ads {
namespace {

TEST(MoneyText, isTheShortest) {
    EXPECT_EQ(money_text(0), "0");
    EXPECT_EQ(money_text(5'000), "0.005");
    EXPECT_EQ(money_text(-12'000'000), "-12");
    EXPECT_EQ(money_text(-1), "-0.000001");
    EXPECT_EQ(money_text(1'234'560'000), "1234.56");
    EXPECT_EQ(exact_text(1), "0.000000000001");
    EXPECT_EQ(exact_text(1'500'000'000), "0.0015");
}

TEST(MoneyText, hasAll128Bits) {
    EXPECT_EQ(
        exact_text(std::numeric_limits<Exact>::min()), "-170141183460469231731687303.715884105728"
    );
    EXPECT_EQ(
        money_text(std::numeric_limits<Exact>::max()), "170141183460469231731687303715884.105727"
    );
}

}  // namespace
}  // namespace footfall::ads
