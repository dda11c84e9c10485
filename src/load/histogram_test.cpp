#include "load/histogram.h"

#include "foundation/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace footfall::load {
namespace {

TEST(Histogram, is_empty_at_first) {
    const Histogram histogram;
    EXPECT_EQ(histogram.count(), 0U);
    EXPECT_EQ(histogram.percentile(0.99), 0U);
    EXPECT_EQ(histogram.mean(), 0);
}

TEST(Histogram, of_small_values_is_exact) {
    Histogram histogram;
    for (std::uint64_t value = 1; value <= 200; ++value) {
        histogram.record(value);
    }
    EXPECT_EQ(histogram.percentile(0.5), 100U);
    EXPECT_EQ(histogram.percentile(0.99), 198U);
    EXPECT_EQ(histogram.percentile(1), 200U);
    EXPECT_EQ(histogram.percentile(0), 1U);
    EXPECT_EQ(histogram.mean(), 100.5);
}

TEST(Histogram, is_within_half_a_percent_of_the_sorted_values) {
    Random random{7};
    Histogram histogram;
    std::vector<std::uint64_t> values;
    for (int i = 0; i < 200'000; ++i) {
        // From 100 ns to 10 s, evenly over the orders of magnitude.
        const auto value = static_cast<std::uint64_t>(std::pow(10, 2 + 8 * random.fraction()));
        values.push_back(value);
        histogram.record(value);
    }
    std::ranges::sort(values);
    for (const double quantile : {0.001, 0.5, 0.9, 0.99, 0.999, 0.9999}) {
        const auto rank = static_cast<std::size_t>(std::ceil(quantile * 200'000)) - 1;
        const auto exact = static_cast<double>(values[rank]);
        EXPECT_NEAR(static_cast<double>(histogram.percentile(quantile)), exact, exact * 0.005);
    }
    EXPECT_EQ(histogram.max(), values.back());
}

TEST(Histogram, never_answers_more_than_the_maximum) {
    Histogram histogram;
    histogram.record(1'000'000'001);
    EXPECT_EQ(histogram.percentile(0.5), histogram.percentile(1));
    EXPECT_LE(histogram.percentile(1), 1'000'000'001U);
    histogram.record(std::uint64_t{1} << 60);
    EXPECT_EQ(histogram.max(), std::uint64_t{1} << 60);
    EXPECT_GT(histogram.percentile(1), std::uint64_t{1} << 40);
}

TEST(Histogram, merged_is_as_if_all_had_been_recorded_in_one) {
    Random random{11};
    Histogram one;
    Histogram other;
    Histogram both;
    for (int i = 0; i < 10'000; ++i) {
        const std::uint64_t value = random.below(50'000'000);
        (i % 3 == 0 ? one : other).record(value);
        both.record(value);
    }
    one.merge(other);
    EXPECT_EQ(one.count(), both.count());
    EXPECT_EQ(one.mean(), both.mean());
    EXPECT_EQ(one.max(), both.max());
    for (const double quantile : {0.1, 0.5, 0.99}) {
        EXPECT_EQ(one.percentile(quantile), both.percentile(quantile));
    }
}

}  // namespace
}  // namespace footfall::load
