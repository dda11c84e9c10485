#include "ads/line_groups.h"

#include <gtest/gtest.h>

#include <vector>

namespace footfall::ads {
namespace {

/// A click of an ad at an offset, in a quarter-hour.
Entry click(
    SharedNames& names, std::uint64_t offset, std::string_view ad, std::uint16_t quarter = 0
) {
    return {
        .what =
            Line{
                .offset = offset,
                .arrival = Instant{std::chrono::microseconds{1'000 - static_cast<int>(offset)}},
                .amount = static_cast<events::Micros>(1 + offset),
                .quarter = quarter,
                .kind = Line::Kind::click,
                .names = names.find_or_make({"EUR", "shop", "", ad, ""}).names
            }
    };
}

TEST(LineGroups, addUpWhatEveryRowCountsAlike) {
    SharedNames names;
    const std::vector<Entry> entries{
        click(names, 3, "a"), click(names, 4, "b"), click(names, 6, "a"), click(names, 7, "a", 1)
    };
    LineGroups groups;
    groups.take(5, entries);
    ASSERT_EQ(groups.all().size(), 3U);
    const LineGroup& first = groups.all().front();
    EXPECT_EQ(first.lane, 5U);
    EXPECT_EQ(first.first(), 3U);
    EXPECT_EQ(first.sum.like->ad(), "a");
    EXPECT_EQ(first.sum.count, 2U);
    EXPECT_EQ(first.sum.through, 7U);
    EXPECT_EQ(first.sum.amounts, (Amounts{.clicks = 2, .amount = 4 + 7}));
    EXPECT_EQ(first.sum.first_arrival, Instant{std::chrono::microseconds{994}});
    EXPECT_EQ(groups.all()[1].sum.like->ad(), "b");
    EXPECT_EQ(groups.all()[2].sum.like->quarter, 1);
}

TEST(LineGroups, areTakenApartWhereARowHasSomeOfOne) {
    SharedNames names;
    const std::vector<Entry> entries{
        click(names, 3, "a"), click(names, 4, "b"), click(names, 6, "a"), click(names, 8, "a")
    };
    LineGroups groups;
    groups.take(0, entries);
    const LineSum rest = groups.all().front().sum_from(6);
    EXPECT_EQ(rest.count, 2U);
    EXPECT_EQ(rest.through, 9U);
    EXPECT_EQ(rest.amounts, (Amounts{.clicks = 2, .amount = 7 + 9}));
}

}  // namespace
}  // namespace footfall::ads
