#include "foundation/random.h"

#include <gtest/gtest.h>

#include <array>

namespace footfall {
namespace {

TEST(Random, gives_the_same_numbers_for_the_same_seed) {
    Random first{7};
    Random second{7};
    Random other{8};
    bool differs = false;
    for (int step = 0; step < 100; ++step) {
        const std::uint64_t value = first();
        EXPECT_EQ(value, second());
        differs = differs || value != other();
    }
    EXPECT_TRUE(differs);
}

TEST(Random, fills_every_bucket_below_a_bound_evenly) {
    Random random{1};
    std::array<int, 10> buckets{};
    for (int draw = 0; draw < 100'000; ++draw) {
        ++buckets.at(random.below(10));
    }
    for (const int filled : buckets) {
        EXPECT_NEAR(filled, 10'000, 500);  // five standard deviations are 474
    }
}

TEST(Random, fractions_stay_below_one) {
    Random random{2};
    for (int draw = 0; draw < 10'000; ++draw) {
        const double fraction = random.fraction();
        EXPECT_GE(fraction, 0.0);
        EXPECT_LT(fraction, 1.0);
    }
}

}  // namespace
}  // namespace footfall
