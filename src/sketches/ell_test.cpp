#include "sketches/ell.h"

#include "foundation/random.h"
#include "sketches/hash_token.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

namespace footfall::sketches {
namespace {

using Values = std::set<unsigned>;

/// A register straight from its definition: what of these values it knows.
Register register_of(const Values& values) {
    if (values.empty()) {
        return 0;
    }
    const unsigned newest = *values.rbegin();
    Register cells = newest << window_bits;
    for (unsigned below = 1; below <= window_bits; ++below) {
        // Value 0 counts as seen: it is what an empty register has.
        const bool seen = below == newest || (below < newest && values.contains(newest - below));
        cells |= seen ? Register{1} << (window_bits - below) : 0;
    }
    return cells;
}

Values some_values(Random& random, unsigned precision) {
    Values values;
    const std::uint64_t count = random.below(60);
    const std::uint64_t spread = 1 + random.below(largest_value(precision));
    while (values.size() < std::min(count, spread)) {
        values.insert(1 + static_cast<unsigned>(random.below(spread)));
    }
    return values;
}

double chance(unsigned value, unsigned precision) {
    return 1 /
           static_cast<double>(std::uint64_t{1} << exponent_of_octave(octave_of(value), precision));
}

TEST(Ell, the_chances_of_all_values_add_up_to_one) {
    for (unsigned precision = lowest_precision; precision <= highest_precision; ++precision) {
        double sum = 0;
        for (unsigned value = largest_value(precision); value > 0; --value) {
            sum += chance(value, precision);
        }
        EXPECT_EQ(sum, 1) << precision;
        EXPECT_EQ(chance_above(0, precision), std::uint64_t{1} << (64 - precision));
        EXPECT_EQ(chance_above(largest_value(precision), precision), 0U);
        EXPECT_LT(largest_value(precision), 256U);
    }
}

TEST(Ell, a_hash_names_register_and_value) {
    // 11 bits of index above 2 of mantissa; then the zeros.
    EXPECT_EQ(update_of(~std::uint64_t{0}, 11).index, 2047U);
    EXPECT_EQ(update_of(~std::uint64_t{0}, 11).value, 4U);
    EXPECT_EQ(update_of(0, 11).index, 0U);
    EXPECT_EQ(update_of(0, 11).value, 51 * 4 + 1U);
    EXPECT_EQ(update_of(3, 11).value, largest_value(11));
    EXPECT_EQ(update_of((std::uint64_t{1} << 60) | (5 << 2) | 2, 11).index, 5U);
    EXPECT_EQ(update_of((std::uint64_t{1} << 60) | (5 << 2) | 2, 11).value, 3 * 4 + 3U);
}

TEST(Ell, values_come_as_often_as_their_chance_says) {
    Random random{1};
    std::array<int, 64> octaves{};
    constexpr int hashes = 1 << 20;
    for (int at = 0; at < hashes; ++at) {
        ++octaves[octave_of(update_of(random(), 11).value)];
    }
    for (unsigned octave = 0; octave < 8; ++octave) {
        const double expected = hashes * octave_values * chance(octave * octave_values + 1, 11);
        EXPECT_NEAR(octaves[octave], expected, 5 * std::sqrt(expected));
    }
}

TEST(Ell, a_register_keeps_what_its_definition_says_in_whatever_order_values_come) {
    Random random{2};
    for (int round = 0; round < 20'000; ++round) {
        const Values values = some_values(random, 11);
        std::vector<unsigned> order(values.begin(), values.end());
        std::shuffle(order.begin(), order.end(), random);
        Register cells = 0;
        for (const unsigned value : order) {
            cells = with_value(cells, value);
            ASSERT_EQ(with_value(cells, value), cells);
        }
        ASSERT_EQ(cells, register_of(values));
    }
}

TEST(Ell, united_registers_know_what_either_knows) {
    Random random{3};
    for (int round = 0; round < 20'000; ++round) {
        const Values left = some_values(random, 11);
        const Values right = some_values(random, 11);
        Values both = left;
        both.insert(right.begin(), right.end());
        const Register united_cells = united(register_of(left), register_of(right));
        ASSERT_EQ(united_cells, register_of(both));
        ASSERT_EQ(united(register_of(right), register_of(left)), united_cells);
    }
}

TEST(Ell, the_chance_of_a_change_is_that_of_all_values_that_would_change_it) {
    Random random{4};
    for (const unsigned precision : {lowest_precision, 11U, highest_precision}) {
        for (int round = 0; round < 1000; ++round) {
            const Register cells = register_of(some_values(random, precision));
            std::uint64_t expected = 0;
            for (unsigned value = 1; value <= largest_value(precision); ++value) {
                const unsigned exponent = exponent_of_octave(octave_of(value), precision);
                if (with_value(cells, value) != cells) {
                    expected += std::uint64_t{1} << (64 - precision - exponent);
                }
            }
            ASSERT_EQ(chance_of_change(cells, precision), expected);
        }
    }
}

TEST(HashToken, stands_for_its_hash_at_every_precision) {
    Random random{5};
    for (int round = 0; round < 100'000; ++round) {
        std::uint64_t hash = random() >> random.below(64);
        hash = hash << random.below(64);
        const HashToken token = token_of(hash);
        EXPECT_EQ(token_of(hash_of(token)), token);
        for (unsigned precision = lowest_precision; precision <= highest_precision; ++precision) {
            const Update wanted = update_of(hash, precision);
            const Update update = update_of(hash_of(token), precision);
            ASSERT_EQ(update.index, wanted.index);
            ASSERT_EQ(update.value, wanted.value);
        }
    }
}

}  // namespace
}  // namespace footfall::sketches
