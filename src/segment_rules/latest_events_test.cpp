#include "segment_rules/latest_events.h"

#include "foundation/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace footfall::segment_rules {
namespace {

using std::chrono::seconds;

EventMark mark(std::int64_t second, std::uint64_t offset = 0, std::uint32_t lane = 0) {
    return {.time = Instant{seconds{second}}, .lane = lane, .offset = offset};
}

TEST(LatestEvents, two_within_a_time_hold_until_the_earlier_one_is_too_old) {
    LatestEvents latest{2};
    EXPECT_EQ(latest.until(seconds{10}), std::nullopt);
    EXPECT_TRUE(latest.add(mark(100)));
    EXPECT_EQ(latest.until(seconds{10}), std::nullopt);
    EXPECT_TRUE(latest.add(mark(105, 1)));
    EXPECT_EQ(latest.until(seconds{10}), Instant{seconds{110}});
    // One that comes late lies between, and one that is older changes nothing.
    EXPECT_TRUE(latest.add(mark(103, 2)));
    EXPECT_EQ(latest.until(seconds{10}), Instant{seconds{113}});
    EXPECT_FALSE(latest.add(mark(50, 3)));
}

TEST(LatestEvents, an_event_that_comes_again_is_counted_once) {
    LatestEvents latest{3};
    EXPECT_TRUE(latest.add(mark(100, 7)));
    EXPECT_FALSE(latest.add(mark(100, 7)));
    EXPECT_TRUE(latest.add(mark(100, 8)));
    EXPECT_TRUE(latest.add(mark(100, 7, 1)));
    EXPECT_EQ(latest.until(seconds{1}), Instant{seconds{101}});
    EXPECT_FALSE(latest.add(mark(100, 7)));
}

TEST(LatestEvents, any_order_and_any_parts_give_what_sorting_gives) {
    Random random{3};
    for (int round = 0; round < 2000; ++round) {
        const auto times = static_cast<std::uint32_t>(random.below(6) + 1);
        std::set<EventMark> all;
        LatestEvents one{times};
        LatestEvents other{times};
        for (std::uint64_t each = random.below(12); each > 0; --each) {
            const EventMark next = mark(
                static_cast<std::int64_t>(random.below(8)),
                random.below(3),
                static_cast<std::uint32_t>(random.below(2))
            );
            all.insert(next);
            (random.below(2) == 0 ? one : other).add(next);
        }
        one.add(other);
        std::vector<EventMark> sorted{all.rbegin(), all.rend()};
        sorted.resize(std::min<std::size_t>(sorted.size(), times));
        ASSERT_EQ(one.marks(), sorted);
        const auto read = LatestEvents::read(one.bytes(), times);
        ASSERT_TRUE(read);
        ASSERT_EQ(*read, one);
        // A rule that asks for fewer reads what one left that asked for more.
        const auto fewer = LatestEvents::read(one.bytes(), 1);
        ASSERT_TRUE(fewer);
        ASSERT_EQ(fewer->marks().size(), std::min<std::size_t>(sorted.size(), 1));
    }
}

TEST(LatestEvents, damaged_bytes_are_refused_or_are_some_events) {
    Random random{4};
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes;
        for (std::uint64_t each = random.below(24); each > 0; --each) {
            bytes.push_back(static_cast<char>(random.below(256)));
        }
        const auto read = LatestEvents::read(bytes, 3);
        if (read) {
            EXPECT_LE(read->marks().size(), 3);
        } else {
            EXPECT_EQ(read.error().kind, ErrorKind::corrupt);
        }
    }
    EXPECT_FALSE(LatestEvents::read("\x80", 3));
}

}  // namespace
}  // namespace footfall::segment_rules
