#include "foundation_testing/temporary_directory.h"
#include "histogram.h"
#include "report.h"
#include "workload.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace footfall::scale {
namespace {

TEST(Histogram, is_exact_for_short_times_and_within_two_hundredths_for_long_ones) {
    for (std::uint64_t value = 1; value < 10'000'000'000; value += value / 7 + 1) {
        Histogram histogram;
        histogram.add(value);
        histogram.add(value * 100);  // so that the largest does not answer for the median
        const auto median = static_cast<double>(histogram.quantile(0.5));
        EXPECT_GE(median, static_cast<double>(value));
        EXPECT_LE(median, static_cast<double>(value) * (value < 64 ? 1.0 : 1.02));
    }
}

TEST(Histogram, answers_quantiles_and_the_largest) {
    Histogram histogram;
    EXPECT_EQ(histogram.quantile(0.99), 0U);
    for (std::uint64_t value = 1; value <= 100; ++value) {
        histogram.add(value);
    }
    EXPECT_EQ(histogram.quantile(0.5), 50U);
    EXPECT_EQ(histogram.quantile(0.99), 99U);
    EXPECT_EQ(histogram.quantile(1), 100U);
    EXPECT_EQ(histogram.max(), 100U);
    EXPECT_EQ(histogram.count(), 100U);
}

TEST(Phase, finds_the_drift_of_a_line_and_none_in_a_level_one) {
    Phase rising;
    Phase level;
    for (int window = 0; window <= 100; ++window) {
        const double noise = window % 2 == 0 ? 0.1 : -0.1;
        rising.windows.push_back({.start = window * 10.0, .p99_ms = 1 + window * 0.02 + noise});
        level.windows.push_back({.start = window * 10.0, .p99_ms = 1 + noise});
    }
    EXPECT_NEAR(rising.p99_drift_ms(), 2, 0.05);
    EXPECT_NEAR(level.p99_drift_ms(), 0, 0.05);
    EXPECT_NEAR(rising.worst_p99_ms(), 3.1, 1e-9);
}

TEST(Workload, draws_a_bell_curve_of_new_tokens) {
    Workload workload{1000, 7};
    std::set<std::uint64_t> tokens;
    double sum = 0;
    double squares = 0;
    constexpr int draws = 20'000;
    for (int draw = 0; draw < draws; ++draw) {
        const Put put = workload.draw();
        ASSERT_LT(put.object, 1000U);
        tokens.insert(put.token);
        sum += static_cast<double>(put.object);
        squares += std::pow(static_cast<double>(put.object) - 500, 2);
    }
    EXPECT_EQ(tokens.size(), static_cast<std::size_t>(draws));
    EXPECT_NEAR(sum / draws, 500, 5);
    EXPECT_NEAR(std::sqrt(squares / draws), 1000.0 / 6, 4);
}

TEST(Workload, goes_on_with_what_was_kept) {
    const TemporaryDirectory directory;
    const std::string file = directory / "state.bin";
    Workload first{10, 1};
    first.set_filled();
    first.add_big_tokens(5);
    const Put put = first.draw();
    first.acknowledged(put);
    first.save(file);
    Workload second{10, 1};
    ASSERT_TRUE(second.restore(file));
    EXPECT_EQ(second.expected(put.object), Workload::filled(put.object) + 1);
    EXPECT_EQ(second.big_tokens(), 5U);
    EXPECT_GT(second.draw().token, put.token) << "the same token again would not count";
    Workload other{11, 1};
    EXPECT_FALSE(other.restore(file));
}

}  // namespace
}  // namespace footfall::scale
