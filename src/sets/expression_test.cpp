#include "sets/expression.h"

#include "foundation/testing/rounds.h"
#include "foundation/testing/test_seed.h"
#include "sets/test_sets.h"

#include <gtest/gtest.h>

namespace footfall::sets {
namespace {

using Chosen = std::vector<const TestSet*>;

std::vector<const NumberSet*> ours_of(const Chosen& chosen) {
    std::vector<const NumberSet*> sets;
    for (const TestSet* set : chosen) {
        sets.push_back(&set->ours);
    }
    return sets;
}

std::vector<Number> one_by_one(const Chosen& all, const Chosen& any, const Chosen& none) {
    std::set<Number> asked;
    for (const Chosen* some : {&all, &any}) {
        for (const TestSet* set : *some) {
            asked.insert(set->theirs.begin(), set->theirs.end());
        }
    }
    const auto has = [](Number number) {
        return [number](const TestSet* set) { return set->theirs.contains(number); };
    };
    std::vector<Number> found;
    for (const Number number : asked) {
        if (std::ranges::all_of(all, has(number)) && std::ranges::none_of(none, has(number)) &&
            (any.empty() || std::ranges::any_of(any, has(number)))) {
            found.push_back(number);
        }
    }
    return found;
}

Chosen some_of(const std::vector<TestSet>& sets, std::uint64_t most, Random& random) {
    Chosen chosen;
    const std::uint64_t wanted = random.below(most + 1);
    for (std::uint64_t at = 0; at < wanted; ++at) {
        chosen.push_back(&sets[random.below(sets.size())]);
    }
    return chosen;
}

/// Nearly all of it: so whole stretches of two sets are alike.
TestSet part_of(const TestSet& set, Random& random) {
    TestSet part = set;
    for (const Number number : set.theirs) {
        if (random.below(20) == 0) {
            part.ours.remove(number);
            part.theirs.erase(number);
        }
    }
    return part;
}

TEST(Expression, counts_what_looking_at_each_number_counts) {
    const std::uint64_t seed = test_seed();
    SCOPED_TRACE(seed);
    Random random{seed};
    for (std::uint64_t round = 0; round < rounds(8); ++round) {
        std::vector<TestSet> sets;
        sets.reserve(6);
        for (int at = 0; at < 4; ++at) {
            sets.push_back(test_set(random, 4));
        }
        for (int at = 0; at < 2; ++at) {
            sets.push_back(part_of(sets[static_cast<std::size_t>(at)], random));
        }
        for (int question = 0; question < 12; ++question) {
            const Chosen all = some_of(sets, 3, random);
            const Chosen any = some_of(sets, 3, random);
            const Chosen none = some_of(sets, 2, random);
            const auto ours_all = ours_of(all);
            const auto ours_any = ours_of(any);
            const auto ours_none = ours_of(none);
            const Expression expression{.all = ours_all, .any = ours_any, .none = ours_none};
            const std::vector<Number> expected = one_by_one(all, any, none);
            ASSERT_EQ(count(expression), expected.size());
            const NumberSet found = members(expression);
            ASSERT_EQ(numbers_of(found), expected);
            ASSERT_TRUE(found == NumberSet::of_sorted(expected));
            const auto middle = static_cast<std::uint32_t>(random.below(12));
            ASSERT_EQ(
                count(expression, {.end = middle}) + count(expression, {.first = middle}),
                expected.size()
            );
        }
    }
}

TEST(Expression, of_nothing_is_nothing) {
    const NumberSet some = NumberSet::of_sorted(std::vector<Number>{1, 2, 3});
    const NumberSet empty;
    const std::vector<const NumberSet*> has{&some};
    const std::vector<const NumberSet*> has_not{&empty};
    EXPECT_EQ(count({}), 0U);
    EXPECT_EQ(count({.none = has_not}), 0U);
    EXPECT_EQ(count({.all = has, .any = has_not}), 0U);
    EXPECT_EQ(count({.all = has_not, .any = has}), 0U);
    EXPECT_EQ(count({.all = has, .none = has}), 0U);
    EXPECT_EQ(count({.any = has, .none = has_not}), 3U);
}

}  // namespace
}  // namespace footfall::sets
