#include "sketches/standard_error.h"

#include "foundation/random.h"
#include "foundation_testing/rounds.h"
#include "sketches/sketch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace footfall::sketches {
namespace {

/// Of n tokens two are the same with a chance of a third of 2^-26 a pair.
TEST(StandardError, of_few_tokens_is_that_of_two_which_are_the_same) {
    EXPECT_EQ(token_error(0), 0);
    EXPECT_EQ(token_error(1), 0);
    const double same = 1.0 / (3 << 26);
    EXPECT_NEAR(token_error(2), std::sqrt(same) / 2, 1e-9);
    EXPECT_NEAR(token_error(3), std::sqrt(3 * same) / 3, 1e-9);
    EXPECT_LT(token_error(128), 5.5e-5) << "which the paper found";
}

/// Sum of 1 / (q + k)^2 from k = 0 on, by Euler and Maclaurin.
double inverse_squares(double q) {
    constexpr int terms = 1000;
    double sum = 0;
    for (int at = 0; at < terms; ++at) {
        sum += std::pow(q + at, -2);
    }
    const double end = q + terms;
    return sum + 1 / end + 1 / (2 * end * end);
}

TEST(StandardError, of_many_is_that_of_the_paper) {
    // Whose formulas smooth the steps that chances make.
    constexpr double steps = 0.003;
    const double base = std::pow(2, std::pow(2, -2));
    const double y = std::pow(base, -24) / (base - 1);
    const double likelihood = std::sqrt(std::log(base) / inverse_squares(1 + y) / 2048);
    const double martingale = std::sqrt(std::log(base) * (1 + y) / 2 / 2048);
    EXPECT_NEAR(likelihood, 0.0076, 1e-5);
    EXPECT_NEAR(martingale, 0.00677, 1e-5);
    for (const double people : {1e8, 1e9, 1e12, 1e15}) {
        EXPECT_NEAR(likelihood_error(people) / likelihood, 1, steps);
        EXPECT_NEAR(martingale_error(people, 128) / martingale, 1, steps);
    }
}

TEST(StandardError, grows_with_people_and_never_is_more_than_the_likelihoods) {
    constexpr double steps = 1e-4;  // of the chances, and of rounding
    double likelihood = 0;
    double martingale = 0;
    EXPECT_EQ(martingale_error(128, 128), 0);
    for (double people = 129; people < 1e10; people *= 1.01) {
        EXPECT_GE(likelihood_error(people), likelihood * (1 - steps)) << people;
        EXPECT_GE(martingale_error(people, 128), martingale * (1 - steps)) << people;
        likelihood = likelihood_error(people);
        martingale = martingale_error(people, 128);
        EXPECT_LT(martingale, likelihood) << people;
        EXPECT_LE(martingale, martingale_error(people, 0) * (1 + steps)) << people;
    }
    EXPECT_LT(likelihood, 0.008);
}

/// That a likelihood's variance grows the faster, so that its error can be stated of a martingale
/// that goes on from one.
TEST(StandardError, of_a_martingale_grows_more_slowly_than_that_of_the_likelihood) {
    const auto absolute = [](double error, double people) { return error * people; };
    for (double people = 129; people < 1e10; people *= 1.2) {
        const double next = people * 1.2;
        const double likelihood = std::pow(absolute(likelihood_error(next), next), 2) -
                                  std::pow(absolute(likelihood_error(people), people), 2);
        const double martingale = std::pow(absolute(martingale_error(next, 0), next), 2) -
                                  std::pow(absolute(martingale_error(people, 0), people), 2);
        EXPECT_GT(likelihood, martingale) << people;
    }
}

/// Of people, of whom everybody was seen by the first of two sketches or by the second.
struct Seen {
    Sketch one;     ///< Of all of them, in one stream.
    Sketch united;  ///< Of the two.

    Seen(int people, Random& random) {
        Sketch other;
        for (int at = 0; at < people; ++at) {
            const std::uint64_t hash = random();
            one.add(hash);
            one.open();
            Sketch& part = at % 4 == 0 ? other : united;
            part.add(hash);
            part.open();
        }
        united.unite(other);
    }
};

TEST(StandardError, is_what_sketches_state_and_what_is_found) {
    const auto people_of_all_runs = static_cast<int>(rounds(1'000'000));
    for (const int people : {200, 1000, 10'000}) {
        const int runs = people_of_all_runs / people;
        Random random{static_cast<std::uint64_t>(people)};
        double of_one = 0;
        double of_united = 0;
        for (int run = 0; run < runs; ++run) {
            const Seen seen{people, random};
            const Estimate one = seen.one.people();
            const Estimate united = seen.united.people();
            of_one += std::pow((one.count / people - 1) / one.error, 2) / runs;
            of_united += std::pow((united.count / people - 1) / united.error, 2) / runs;
        }
        const double chance = 4 / std::sqrt(2.0 * runs);
        EXPECT_NEAR(std::sqrt(of_one), 1, chance) << people;
        if (people > 600) {  // else the other is tokens, and it stays one stream
            EXPECT_NEAR(std::sqrt(of_united), 1, chance) << people;
        }
    }
}

}  // namespace
}  // namespace footfall::sketches
