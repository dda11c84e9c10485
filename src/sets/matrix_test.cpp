#include "sets/matrix.h"

#include "foundation/testing/rounds.h"
#include "foundation/testing/test_seed.h"
#include "sets/test_sets.h"
#include "sets/words.h"

#include <gtest/gtest.h>

namespace footfall::sets {
namespace {

std::vector<const NumberSet*> pointers(const std::vector<NumberSet>& sets) {
    std::vector<const NumberSet*> found;
    found.reserve(sets.size());
    for (const NumberSet& set : sets) {
        found.push_back(&set);
    }
    return found;
}

/// Each pair by looking up members of one in the other.
void expect_pairs(const Matrix& found, const std::vector<NumberSet>& sets) {
    for (std::size_t one = 0; one < sets.size(); ++one) {
        for (std::size_t other = 0; other < sets.size(); ++other) {
            std::uint64_t common = 0;
            sets[one].for_each([&](Number number) { common += sets[other].contains(number); });
            ASSERT_EQ(found.common(one, other), common) << one << " " << other;
        }
        ASSERT_EQ(found.size(one), sets[one].size());
    }
}

/// Of `numbers` numbers each with a chance of one of `one_of`, so many sets.
std::vector<NumberSet> random_sets(
    std::size_t wanted, Number numbers, std::uint64_t one_of, Random& random
) {
    std::vector<NumberSet> sets(wanted);
    for (NumberSet& set : sets) {
        for (Number number = 0; number < numbers; ++number) {
            if (random.below(one_of) == 0) {
                set.add(number);
            }
        }
    }
    return sets;
}

TEST(Matrix, counts_what_looking_up_each_member_counts) {
    const std::uint64_t seed = test_seed();
    SCOPED_TRACE(seed);
    Random random{seed};
    for (std::uint64_t round = 0; round < rounds(6); ++round) {
        std::vector<NumberSet> sets;
        for (std::uint64_t at = random.below(12); at > 0; --at) {
            sets.push_back(test_set(random, 3).ours);
        }
        const auto asked = pointers(sets);
        const Matrix whole = matrix(asked);
        ASSERT_NO_FATAL_FAILURE(expect_pairs(whole, sets));
        const auto middle = static_cast<std::uint32_t>(random.below(8));
        Matrix parts = matrix(asked, {.end = middle});
        parts += matrix(asked, {.first = middle});
        ASSERT_NO_FATAL_FAILURE(expect_pairs(parts, sets));
    }
}

struct Crowd {
    std::size_t sets;
    std::uint64_t one_of;
};

/// Bitmaps; rows; bitmaps made of arrays; arrays of a few.
TEST(Matrix, is_the_same_whichever_way_a_block_is_counted) {
    const std::uint64_t seed = test_seed();
    SCOPED_TRACE(seed);
    Random random{seed};
    for (const Crowd crowd : {Crowd{12, 2}, Crowd{99, 150}, Crowd{20, 150}, Crowd{20, 3'000}}) {
        std::vector<NumberSet> sets = random_sets(crowd.sets, 140'000, crowd.one_of, random);
        sets.push_back(random_sets(1, 140'000, 3, random)[0]);  // one that is dense
        ASSERT_NO_FATAL_FAILURE(expect_pairs(matrix(pointers(sets)), sets)) << crowd.one_of;
    }
}

/// By chance they would hardly have a pair: counting rows is begun and given up.
TEST(Matrix, of_sets_that_are_alike_is_counted_as_well) {
    Random random{1};
    std::vector<NumberSet> sets(1);
    for (int at = 0; at < 400; ++at) {
        sets[0].add(static_cast<Number>(random.below(block_numbers)));
    }
    sets.resize(matrix_sets_max, sets[0]);
    sets[50].remove(*numbers_of(sets[50]).begin());
    sets[51].add(7);
    expect_pairs(matrix(pointers(sets)), sets);
}

TEST(Combinations, are_counted_each_number_once) {
    const std::uint64_t seed = test_seed();
    SCOPED_TRACE(seed);
    Random random{seed};
    for (std::size_t wanted = 0; wanted <= combination_sets_max; ++wanted) {
        std::vector<NumberSet> sets;
        std::set<Number> numbers;
        for (std::size_t at = 0; at < wanted; ++at) {
            TestSet set = test_set(random, 2);
            numbers.insert(set.theirs.begin(), set.theirs.end());
            sets.push_back(std::move(set.ours));
        }
        std::vector<std::uint64_t> expected(std::size_t{1} << wanted);
        for (const Number number : numbers) {
            std::size_t combination = 0;
            for (std::size_t at = 0; at < wanted; ++at) {
                combination |= std::size_t{sets[at].contains(number)} << at;
            }
            ++expected[combination];
        }
        ASSERT_EQ(combinations(pointers(sets)), expected);
        std::vector<std::uint64_t> parts = combinations(pointers(sets), {.end = 3});
        const auto rest = combinations(pointers(sets), {.first = 3});
        std::ranges::transform(parts, rest, parts.begin(), std::plus{});
        ASSERT_EQ(parts, expected);
    }
}

TEST(BitCounter, counts_the_same_whatever_the_processor_has) {
    Random random{2};
    Bitmap one{};
    Bitmap other{};
    for (const std::uint64_t one_of : {1U, 2U, 100U}) {
        for (std::size_t at = 0; at < one.size() * 16; ++at) {
            const auto bit = static_cast<Low>(1U << at % 16);
            one[at / 16] = static_cast<Low>(one[at / 16] | (random.below(one_of) == 0 ? bit : 0));
            other[at / 16] =
                static_cast<Low>(other[at / 16] | (random.below(one_of) == 0 ? bit : 0));
        }
        for (std::size_t lows = 0; lows <= one.size(); lows += bit_counter_step) {
            std::uint32_t expected = 0;
            for (std::size_t at = 0; at < lows; ++at) {
                expected += static_cast<std::uint32_t>(
                    std::popcount(static_cast<unsigned>(one[at] & other[at]))
                );
            }
            for (const BitCounter& counter : bit_counters()) {
                ASSERT_EQ(counter.common(one.data(), other.data(), lows), expected) << counter.name;
            }
        }
        one.fill(0);
        other.fill(0);
    }
}

}  // namespace
}  // namespace footfall::sets
