#include "ads/rounding.h"

#include "foundation/random.h"
#include "foundation/testing/rounds.h"

#include <gtest/gtest.h>

#include <numeric>

namespace footfall::ads {
namespace {

using Shown = std::vector<WideMicros>;

Shown spread_of(std::vector<Exact> rows) {
    return spread(rows).value();
}

TEST(Rounding, goes_to_the_nearest_and_of_two_to_the_even_one) {
    EXPECT_EQ(rounded(0), 0);
    EXPECT_EQ(rounded(499'999), 0);
    EXPECT_EQ(rounded(500'000), 0);
    EXPECT_EQ(rounded(500'001), 1);
    EXPECT_EQ(rounded(1'500'000), 2);
    EXPECT_EQ(rounded(2'500'000), 2);
    EXPECT_EQ(rounded(-499'999), 0);
    EXPECT_EQ(rounded(-500'000), 0);
    EXPECT_EQ(rounded(-500'001), -1);
    EXPECT_EQ(rounded(-1'500'000), -2);
    EXPECT_EQ(rounded(-2'500'000), -2);
}

TEST(Spread, gives_what_is_missing_to_the_rows_that_lost_most) {
    EXPECT_EQ(spread_of({}), Shown{});
    EXPECT_EQ(spread_of({1'400'000, 1'300'000, 1'300'000}), (Shown{2, 1, 1}));
    EXPECT_EQ(spread_of({1'300'000, 1'400'000, 1'300'000}), (Shown{1, 2, 1}));
    EXPECT_EQ(spread_of({300'000, 300'000, 300'000}), (Shown{1, 0, 0})) << "the earlier of equals";
    EXPECT_EQ(spread_of({999'999, 999'999, 999'999}), (Shown{1, 1, 1}));
    EXPECT_EQ(spread_of({-300'000, 300'000}), (Shown{0, 0})) << "they cancel out";
    EXPECT_EQ(spread_of({-1'700'000, -1'700'000}), (Shown{-1, -2}));
}

TEST(Spread, adds_up_and_is_never_a_micro_off) {
    Random random{1};
    for (std::uint64_t round = 0; round < rounds(20'000); ++round) {
        std::vector<Exact> rows(1 + random.below(40));
        for (Exact& row : rows) {
            row = static_cast<Exact>(random.below(20'000'000)) - 10'000'000;
        }
        const Shown shown = spread_of(rows);
        Exact sum = 0;
        WideMicros all = 0;
        for (std::size_t at = 0; at < rows.size(); ++at) {
            sum += rows[at];
            all += shown[at];
            const Exact off = shown[at] * whole - rows[at];
            ASSERT_LT(off, whole) << round;
            ASSERT_GT(off, -Exact{whole}) << round;
        }
        ASSERT_EQ(all, rounded(sum)) << round;
    }
}

TEST(Spread, says_when_money_is_more_than_can_be_counted) {
    const Exact much = Exact{1} << 126;
    EXPECT_TRUE(spread(std::vector<Exact>{much}));
    const auto shown = spread(std::vector<Exact>{much, much, much});
    ASSERT_FALSE(shown);
    EXPECT_EQ(shown.error().message, "more money than can be counted");
    EXPECT_FALSE(share_of(much, 1000));
    EXPECT_EQ(share_of(-much, 1).value(), -much);
}

}  // namespace
}  // namespace footfall::ads
