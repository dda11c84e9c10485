#include "reading/day_counts.h"

#include "foundation/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

namespace footfall::reading {
namespace {

constexpr people::UtcDay counted_day = 20'000;

TEST(DayCounts, are_exact_while_there_is_room) {
    DayCounts counts{16};
    for (std::uint64_t time = 0; time < 3; ++time) {
        for (std::uint64_t url = 0; url < 10; ++url) {
            const auto change = counts.add(url, counted_day + static_cast<people::UtcDay>(url % 2));
            EXPECT_EQ(change.before, time);
            EXPECT_EQ(change.after, time + 1);
        }
    }
    EXPECT_EQ(counts.size(), 10);
    EXPECT_EQ(counts.add(0, counted_day + 1).before, 0) << "each day is counted by itself";
}

TEST(DayCounts, are_never_below_the_truth_in_bounded_memory) {
    Random random{7};
    DayCounts counts{64};
    std::map<std::pair<std::uint64_t, people::UtcDay>, std::uint64_t> truth;
    std::uint64_t above = 0;
    for (int at = 0; at < 50'000; ++at) {
        const double place = random.fraction();
        const auto url = static_cast<std::uint64_t>(place * place * place * 2'000);
        const auto day = counted_day + static_cast<people::UtcDay>(random.below(3));
        const auto change = counts.add(url, day);
        const std::uint64_t now = ++truth[{url, day}];
        ASSERT_GE(change.after, now);
        ASSERT_TRUE(change.before == 0 || change.before + 1 == change.after);
        ASSERT_LE(counts.size(), 80);
        above += change.after > now ? 1 : 0;
    }
    EXPECT_GT(above, 0) << "more came than there was room for";
    EXPECT_LE(counts.bytes(), 64 << 10);
    EXPECT_GT(counts.add(0, counted_day).before, 1'000) << "who is read much stays";
}

TEST(DayCounts, come_back_as_they_were_stored) {
    DayCounts counts{16};
    for (std::uint64_t url = 0; url < 100; ++url) {
        counts.add(url % 30, counted_day - static_cast<people::UtcDay>(url % 3));
    }
    const std::string stored = counts.encode();
    auto read = DayCounts::decode(stored);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->encode(), stored);
    EXPECT_EQ(read->size(), counts.size());
    const auto change = counts.add(1, counted_day);
    const auto same = read->add(1, counted_day);
    EXPECT_EQ(same.before, change.before);
    EXPECT_EQ(same.after, change.after);
    EXPECT_TRUE(DayCounts::decode(DayCounts{}.encode()));
}

TEST(DayCounts, that_are_damaged_are_refused) {
    DayCounts counts;
    counts.add(1, counted_day);
    counts.add(2, counted_day);
    const std::string stored = counts.encode();
    for (std::size_t at = 0; at < stored.size(); ++at) {
        std::string damaged = stored;
        damaged[at] = static_cast<char>(damaged[at] ^ 1);
        EXPECT_FALSE(DayCounts::decode(damaged)) << at;
        EXPECT_FALSE(DayCounts::decode(stored.substr(0, at))) << at;
    }
    EXPECT_FALSE(DayCounts::decode(stored + "x"));
}

TEST(DayCounts, forget_days_that_are_over) {
    DayCounts counts;
    counts.add(1, counted_day);
    counts.add(1, counted_day + 1);
    counts.forget_before(counted_day + 1);
    EXPECT_EQ(counts.size(), 1);
    EXPECT_EQ(counts.add(1, counted_day + 1).before, 1);
    EXPECT_EQ(counts.add(1, counted_day).before, 0);
}

}  // namespace
}  // namespace footfall::reading
