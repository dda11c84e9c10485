#include "sketches/joint.h"

#include "sketches/joint_likelihood.h"
#include "sketches/test_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace footfall::sketches {
namespace {

TEST(Joint, of_tokens_is_exact) {
    Random random{1};
    Sketch left;
    Sketch right;
    Sketch nobody;
    for (int at = 0; at < 128; ++at) {
        const std::uint64_t hash = random();
        if (at < 90) {
            left.add(hash);
        }
        if (at >= 70) {
            right.add(hash);
        }
    }
    const Joint found = joint(left, right);
    EXPECT_TRUE(found.exact);
    EXPECT_EQ(found.common.count, 20);
    EXPECT_EQ(found.only_left.count, 70);
    EXPECT_EQ(found.only_right.count, 38);
    EXPECT_EQ(found.common.low, 20);
    EXPECT_EQ(found.common.high, 20);
    EXPECT_EQ(found.common.error, 0);
    EXPECT_EQ(joint(left, nobody).common.high, 0);
    EXPECT_EQ(joint(nobody, nobody).only_left.high, 0);
}

TEST(JointLikelihood, has_the_slopes_and_the_curvature_that_it_says) {
    Random random{2};
    const TestPair pair{3'000, 50'000, 2'000, random};
    const JointLikelihood likelihood{pair.left, pair.right, usual_precision};
    const OfKinds rates{1.3, 27.0, 0.8};
    const JointLikelihood::At at = likelihood.at(rates);
    for (std::size_t kind = 0; kind < rates.size(); ++kind) {
        const double step = rates[kind] * 1e-5;
        OfKinds below = rates;
        OfKinds above = rates;
        below[kind] -= step;
        above[kind] += step;
        const JointLikelihood::At before = likelihood.at(below);
        const JointLikelihood::At after = likelihood.at(above);
        const double slope = (after.value - before.value) / (2 * step);
        EXPECT_NEAR(at.slope[kind], slope, 1e-4 * std::abs(slope) + 1e-2);
        for (std::size_t other = 0; other < rates.size(); ++other) {
            const double second = (before.slope[other] - after.slope[other]) / (2 * step);
            EXPECT_NEAR(at.curvature[kind][other], second, 1e-4 * std::abs(second) + 1e-4);
            EXPECT_EQ(at.curvature[kind][other], at.curvature[other][kind]);
        }
    }
}

/// Errors as once measured of a prototype, in 150 runs each.
struct Case {
    double only_left;
    double only_right;
    double common;
    double error;     ///< Of common, relative.
    double by_union;  ///< The same by inclusion and exclusion.
};

TEST(Joint, is_as_close_as_a_prototype_was_and_closer_than_by_the_union) {
    Random random{3};
    for (const Case& each : {
             Case{333'000, 333'000, 667'000, 0.0096, 0.0103},
             Case{900'000, 900'000, 200'000, 0.035, 0.048},
             Case{990'000, 990'000, 20'000, 0.25, 0.507},
             Case{1'000'000, 100'000, 10'000, 0.17, 0.325},
             Case{10'000, 10'000, 2'000, 0.031, 0.038},
         }) {
        SCOPED_TRACE(each.common);
        double squares = 0;
        double stated = 0;
        constexpr int runs = 40;
        for (int run = 0; run < runs; ++run) {
            const Joint found =
                TestPair{each.only_left, each.only_right, each.common, random}.joined();
            EXPECT_FALSE(found.exact);
            const double off = found.common.count / each.common - 1;
            squares += off * off / runs;
            stated += found.common.error * std::max(found.common.count, 1.0) / each.common / runs;
        }
        const std::string name = std::to_string(static_cast<int>(each.common));
        RecordProperty("error_" + name, std::to_string(std::sqrt(squares)));
        RecordProperty("stated_" + name, std::to_string(stated));
        EXPECT_NEAR(std::sqrt(squares), each.error, each.error * 0.2);
        EXPECT_LT(std::sqrt(squares), each.by_union);
        EXPECT_NEAR(stated, each.error, each.error * 0.15);
    }
}

/// With ten million people: tests/people.
TEST(Joint, has_the_truth_outside_of_its_bounds_in_five_of_a_hundred_cases) {
    Random random{4};
    for (const int outside : outside_of_bounds(1'000, 300'000, random)) {
        EXPECT_GE(outside, 30);
        EXPECT_LE(outside, 70);
    }
}

TEST(Joint, of_crowds_that_have_nobody_or_everybody_in_common_says_so) {
    Random random{5};
    int outside = 0;
    constexpr int runs = 100;
    for (int run = 0; run < runs; ++run) {
        const Joint apart = TestPair{20'000, 30'000, 0, random}.joined();
        EXPECT_LT(apart.common.high, 1'000);
        outside += apart.common.low > 0 ? 1 : 0;
        const Joint same = TestPair{0, 0, 50'000, random}.joined();
        EXPECT_EQ(same.only_left.count, 0);
        EXPECT_EQ(same.only_left.low, 0);
        EXPECT_LT(same.only_left.high, 100);
        EXPECT_NEAR(same.common.count, 50'000, 2'000);
        const Joint within = TestPair{0, 45'000, 5'000, random}.joined();
        EXPECT_LT(within.only_left.low, 50);
        EXPECT_NEAR(within.common.count, 5'000, 500);
        EXPECT_LE(within.common.low, within.common.count);
        EXPECT_GE(within.common.high, within.common.count);
    }
    EXPECT_LE(outside, 12);
}

TEST(Joint, does_not_depend_on_the_form_of_its_sketches) {
    Random random{6};
    Sketch few;
    Sketch many;
    for (int at = 0; at < 40'000; ++at) {
        const std::uint64_t hash = random();
        if (at < 100) {
            few.add(hash);
        }
        if (at >= 50) {
            many.add(hash);
        }
    }
    ASSERT_TRUE(few.tokens());
    Sketch open = many.clone();
    open.open();
    const Joint found = joint(few, many);
    EXPECT_FALSE(found.exact);
    EXPECT_EQ(found.common.count, joint(few, open).common.count);
    EXPECT_EQ(found.common.high, joint(few, open).common.high);
    EXPECT_LE(found.common.low, 50);
    EXPECT_GE(found.common.high, 50);
    EXPECT_NEAR(found.only_right.count, 39'900, 1'500);
    const Joint turned = joint(many, few);
    EXPECT_NEAR(turned.common.count, found.common.count, 0.01);
    EXPECT_NEAR(turned.only_left.high, found.only_right.high, 1);
    EXPECT_EQ(joint(Sketch{}, many).common.low, 0);
    EXPECT_LT(joint(Sketch{}, many).common.high, 5);
}

TEST(Joint, of_full_registers_ends) {
    const std::vector<Register> full(16, largest_value(4) << window_bits | window_mask);
    EXPECT_GT(joint(full, full, 4).common.count, 1e12);
    const std::vector<Register> empty(16);
    EXPECT_EQ(joint(empty, full, 4).common.low, 0);
}

}  // namespace
}  // namespace footfall::sketches
