#include "load/traffic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <unordered_set>
#include <vector>

namespace footfall::load {
namespace {

constexpr std::uint64_t drawn = 200'000;

TEST(Traffic, names_objects_by_a_gaussian_around_the_middle) {
    const Traffic traffic{{.objects = 1000, .deviation = 100}};
    double sum = 0;
    double squares = 0;
    std::uint64_t within_one = 0;
    for (std::uint64_t n = 0; n < drawn; ++n) {
        // Objects are the whole part, so half of one is missing on average.
        const double off = static_cast<double>(traffic.at(n).object) + 0.5 - 500;
        sum += off;
        squares += off * off;
        within_one += std::abs(off) < 100 ? 1 : 0;
    }
    const double count = drawn;
    EXPECT_NEAR(sum / count, 0, 5 * 100 / std::sqrt(count));
    EXPECT_NEAR(std::sqrt(squares / count), 100, 1);
    EXPECT_NEAR(static_cast<double>(within_one) / count, 0.6827, 0.006);
}

TEST(Traffic, draws_again_what_falls_outside) {
    // A third of all draws are outside; clamping would heap them on the first and the last object.
    const Traffic traffic{{.objects = 10, .deviation = 5}};
    std::vector<int> counts(10);
    for (std::uint64_t n = 0; n < drawn; ++n) {
        ++counts.at(traffic.at(n).object);
    }
    EXPECT_LT(counts.front(), counts[5]);
    EXPECT_LT(counts.back(), counts[4]);
    EXPECT_GT(counts.front(), 0);
}

TEST(Traffic, deviates_by_a_sixth_unless_told_otherwise) {
    const Traffic by_default{{.objects = 600}};
    const Traffic by_hand{{.objects = 600, .deviation = 100}};
    for (std::uint64_t n = 0; n < 1000; ++n) {
        ASSERT_EQ(by_default.at(n).object, by_hand.at(n).object);
    }
}

TEST(Traffic, never_repeats_a_token) {
    const Traffic traffic{{}};
    std::unordered_set<std::uint64_t> tokens;
    for (std::uint64_t n = 0; n < drawn; ++n) {
        ASSERT_TRUE(tokens.insert(traffic.at(n).token).second);
    }
}

TEST(Traffic, is_the_same_for_a_seed_and_another_for_another) {
    const Traffic one{{.seed = 1}};
    const Traffic same{{.seed = 1}};
    const Traffic other{{.seed = 2}};
    for (std::uint64_t n = 0; n < 1000; ++n) {
        ASSERT_EQ(one.at(n).token, same.at(n).token);
        ASSERT_EQ(one.at(n).object, same.at(n).object);
        ASSERT_NE(one.at(n).token, other.at(n).token);
    }
}

TEST(Traffic, mixes_in_the_share_of_gets_asked_for) {
    EXPECT_FALSE((Traffic{{.get_share = 0}}.at(5).is_get));
    EXPECT_TRUE((Traffic{{.get_share = 1}}.at(5).is_get));
    const Traffic traffic{{.get_share = 0.25}};
    std::uint64_t gets = 0;
    for (std::uint64_t n = 0; n < drawn; ++n) {
        gets += traffic.at(n).is_get ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(gets) / drawn, 0.25, 0.005);
}

TEST(Traffic, of_one_object_is_all_on_it) {
    const Traffic traffic{{.objects = 1}};
    for (std::uint64_t n = 0; n < 1000; ++n) {
        ASSERT_EQ(traffic.at(n).object, 0U);
    }
}

}  // namespace
}  // namespace footfall::load
