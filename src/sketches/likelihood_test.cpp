#include "sketches/likelihood.h"

#include "foundation/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace footfall::sketches {
namespace {

/// Hurwitz zeta function, by Euler and Maclaurin.
double zeta(double s, double q) {
    constexpr int terms = 1000;
    double sum = 0;
    for (int at = 0; at < terms; ++at) {
        sum += std::pow(q + at, -s);
    }
    const double end = q + terms;
    return sum + std::pow(end, 1 - s) / (s - 1) + std::pow(end, -s) / 2 +
           s * std::pow(end, -s - 1) / 12;
}

TEST(Likelihood, its_constant_follows_from_the_formula) {
    const double base = std::pow(2, std::pow(2, -2));
    const double y = std::pow(base, -24) / (base - 1);
    EXPECT_NEAR(
        bias_constant,
        std::log(base) * (1 + 2 * y) * zeta(3, 1 + y) / std::pow(zeta(2, 1 + y), 2),
        5e-6
    );
}

TEST(Likelihood, of_nothing_is_zero_and_of_everything_infinite) {
    std::vector<Register> registers(16);
    EXPECT_EQ(estimate(Likelihood::of_registers(registers, 4)), 0);
    for (Register& cells : registers) {
        cells = largest_value(4) << window_bits | window_mask;
    }
    EXPECT_EQ(estimate(Likelihood::of_registers(registers, 4)), HUGE_VAL);
    EXPECT_EQ(most_likely(Likelihood::of_tokens({})), 0);
}

TEST(Likelihood, its_slope_is_zero_where_it_says_that_it_is_largest) {
    Random random{1};
    for (const int hashes : {1, 3, 40, 1000, 30'000, 1'000'000}) {
        std::vector<Register> registers(2048);
        for (int at = 0; at < hashes; ++at) {
            const Update update = update_of(random(), 11);
            registers[update.index] = with_value(registers[update.index], update.value);
        }
        const Likelihood likelihood = Likelihood::of_registers(registers, 11);
        const double x = most_likely(likelihood) / 2048;
        // The derivative of its logarithm, cell by cell.
        double slope = -std::ldexp(static_cast<double>(likelihood.unset), -53);
        for (std::size_t exponent = 1; exponent < likelihood.set.size(); ++exponent) {
            const double chance = std::ldexp(1.0, -static_cast<int>(exponent));
            slope += likelihood.set[exponent] * chance / std::expm1(x * chance);
        }
        EXPECT_NEAR(slope * x, 0, 1e-6 * hashes) << hashes;
        EXPECT_NEAR(estimate(likelihood), hashes, 0.04 * hashes + 0.01) << hashes;
    }
}

TEST(Likelihood, counts_few_tokens_exactly) {
    Random random{2};
    std::set<HashToken> tokens;
    for (int count = 1; count <= 1000; ++count) {
        while (tokens.size() < static_cast<std::size_t>(count)) {
            tokens.insert(token_of(random()));
        }
        const std::vector<HashToken> all(tokens.begin(), tokens.end());
        ASSERT_NEAR(most_likely(Likelihood::of_tokens(all)), count, 0.01) << count;
    }
}

}  // namespace
}  // namespace footfall::sketches
