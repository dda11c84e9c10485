// Numbers of people where sets of all do not fit in memory: estimates whose bounds hold.
#include "segments/sampled.h"

#include "foundation/random.h"
#include "segments/people_sets.h"
#include "sets/expression.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace footfall::segments {
namespace {

TEST(Sampled, what_is_counted_is_exact) {
    const Estimate estimate = estimate_of(7, 1);
    EXPECT_TRUE(estimate.exact);
    EXPECT_EQ(estimate.error, 0);
    EXPECT_EQ(estimate.low, 7);
    EXPECT_EQ(estimate.high, 7);
}

TEST(Sampled, bounds_of_nobody_begin_with_nobody) {
    const Estimate estimate = estimate_of(0, 8);
    EXPECT_FALSE(estimate.exact);
    EXPECT_EQ(estimate.error, 1);
    EXPECT_EQ(estimate.low, 0);
    EXPECT_GE(estimate.high, 8);
    EXPECT_LE(estimate.high, 40);
}

TEST(Sampled, of_few_at_least_those_are_there_who_were_found) {
    EXPECT_GE(estimate_of(2, 2).low, 1);
    EXPECT_GE(estimate_of(4096, 4096).low, 1);
}

/// Each part is found with the same likelihood, whichever numbers people have: bounds that are to
/// hold in 95 of 100 cases do, for few and for many, also where numbers have a pattern.
TEST(Sampled, bounds_hold) {
    constexpr sets::Number people = 200'000;
    const std::vector<std::pair<const char*, std::function<bool(sets::Number, sets::Number)>>>
        kinds{
            {"every 50th", [](sets::Number number, sets::Number of) { return number % 50 == of; }},
            {"a run", [](sets::Number number, sets::Number of) { return number / 4000 == of; }},
            {"by low bits",
             [](sets::Number number, sets::Number of) { return (number & 63U) == of; }},
            {"few, far apart",
             [](sets::Number number, sets::Number of) { return number % 9973 == of; }}
        };
    for (const auto& [name, is_in] : kinds) {
        PeopleSets some;
        constexpr sets::Number segments = 50;
        std::array<std::uint64_t, segments> sizes{};
        for (sets::Number number = 0; number < people; ++number) {
            for (sets::Number each = 0; each < segments; ++each) {
                if (is_in(number, each)) {
                    some.add(each, number);
                    ++sizes.at(each);
                }
            }
        }
        for (int thinned = 0; thinned < 4; ++thinned) {
            ASSERT_TRUE(some.thin());
        }
        int outside = 0;
        for (sets::Number each = 0; each < segments; ++each) {
            const Estimate found =
                estimate_of(some.of(each)->size() * some.one_of(), some.one_of());
            outside += sizes.at(each) < found.low || sizes.at(each) > found.high ? 1 : 0;
        }
        EXPECT_LE(outside, 7) << name;
    }
}

/// The same people are left in all sets, whatever was added and removed before or behind.
TEST(Sampled, sets_agree_about_who_is_left) {
    Random random{7};
    PeopleSets early;
    PeopleSets late;
    ASSERT_TRUE(late.thin());
    ASSERT_TRUE(late.thin());
    for (int step = 0; step < 200'000; ++step) {
        const auto number = static_cast<sets::Number>(random.below(200'000));
        const auto segment = static_cast<std::int64_t>(random.below(3));
        const bool adds = random.below(3) != 0;
        for (PeopleSets* each : {&early, &late}) {
            adds ? each->add(segment, number) : each->remove(segment, number);
        }
        if (step == 70'000 || step == 140'000) {
            ASSERT_TRUE(early.thin());
        }
    }
    for (std::int64_t segment = 0; segment < 3; ++segment) {
        EXPECT_EQ(*early.of(segment), *late.of(segment));
        EXPECT_GT(early.of(segment)->size(), 9'000);
    }
    const std::array both{early.of(0), early.of(1)};
    EXPECT_GT(sets::count({.all = both, .any = {}, .none = {}}), 1'500);
    early.book();
    EXPECT_EQ(early.bytes(), early.recount());
}

/// Half of the people are half of the memory, also where sets are dense.
TEST(Sampled, thinning_halves_bitmaps) {
    PeopleSets sets;
    for (sets::Number number = 0; number < 1'000'000; ++number) {
        sets.add(1, number);
    }
    sets.book();
    std::size_t before = sets.bytes();
    for (int times = 0; times < 4; ++times) {
        ASSERT_TRUE(sets.thin());
        sets.book();
        EXPECT_LE(sets.bytes(), before * 6 / 10);
        before = sets.bytes();
    }
    EXPECT_NEAR(static_cast<double>(sets.of(1)->size()) * sets.one_of(), 1e6, 3e4);
    for (int times = 4; times < 12; ++times) {
        ASSERT_TRUE(sets.thin());
    }
    EXPECT_FALSE(sets.thin()) << "there are too few left";
}

}  // namespace
}  // namespace footfall::segments
