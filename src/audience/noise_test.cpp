#include "audience/noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>

namespace footfall::audience {
namespace {

constexpr SipKey secret{1, 2};

TEST(AudienceNoise, is_the_same_for_the_same_set_and_day) {
    EXPECT_EQ(noise(secret, 20'786, 7, {}), noise(secret, 20'786, 7, {}));
    int same = 0;
    for (std::uint64_t set = 0; set < 100; ++set) {
        same += noise(secret, 20'786, set, {}) == noise(secret, 20'787, set, {}) ? 1 : 0;
        same += noise(secret, 20'786, set, {}) == noise({3, 4}, 20'786, set, {}) ? 1 : 0;
    }
    EXPECT_LT(same, 10);
}

TEST(AudienceNoise, is_of_the_normal_distribution) {
    const Terms terms;
    constexpr int draws = 100'000;
    double sum = 0;
    double squares = 0;
    int within = 0;
    for (std::uint64_t set = 0; set < draws; ++set) {
        const auto each = static_cast<double>(noise(secret, 1, set, terms));
        sum += each;
        squares += each * each;
        within += std::abs(each) <= sigma(terms) ? 1 : 0;
        ASSERT_LE(std::abs(each), static_cast<double>(noise_max(terms)));
    }
    EXPECT_NEAR(sum / draws, 0, 4 * sigma(terms) / std::sqrt(draws));
    EXPECT_NEAR(std::sqrt(squares / draws), sigma(terms), 0.02 * sigma(terms));
    // 28.5 people of 28.0, as numbers are whole.
    EXPECT_NEAR(static_cast<double>(within) / draws, 0.691, 0.01);
}

TEST(AudienceNoise, no_number_is_shown_of_fewer_than_the_least) {
    for (const Terms terms : {Terms{}, Terms{.least = 10, .numbers = 1}, Terms{.least = 0}}) {
        const std::int64_t most = noise_max(terms);
        if (terms.least > 0) {
            EXPECT_EQ(shown(terms.least - 1, most, terms), std::nullopt);
        }
        EXPECT_EQ(shown(terms.least, most, terms), least_shown(terms));
        EXPECT_EQ(shown(terms.least, most - 1, terms), std::nullopt);
        EXPECT_EQ(shown(1'000'000, -most, terms), 1'000'000 - static_cast<std::uint64_t>(most));
    }
}

}  // namespace
}  // namespace footfall::audience
