#include "intake/events_ahead.h"

#include "intake/cluster_world.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::intake {
namespace {

using std::chrono::hours;

constexpr std::uint32_t ahead_lane = 3;
constexpr hours keep_a_day{24};
constexpr Instant noon{hours{24 * 20'000}};
constexpr Instant before = noon - keep_a_day;

class EventsAheadTest : public testing::Test {
protected:
    /// Events of the lane, in its order.
    void add(std::size_t count, Instant arrival) {
        for (; count > 0; --count) {
            std::string record;
            events::append_judged(
                {.event = {.action = "view", .object = "page"}, .arrival = arrival}, record
            );
            append(record);
        }
    }

    void add_control() {
        std::string record;
        events::append_control(events::RulesInForce{.version = 1, .digest = "d"}, record);
        append(record);
    }

    /// The lane begins with the event at `first`, and ends where it does, or at `end`.
    std::uint64_t all_old_to(std::uint64_t first, Instant says, std::uint64_t end = 0) {
        const auto old = ahead_.all_old_to(
            ahead_lane,
            {.offset = first, .arrival = says},
            end != 0 ? end : world_.log().end(ahead_lane),
            clock_.now() - keep_a_day
        );
        EXPECT_TRUE(old) << old.error().message;
        return old.value_or(0);
    }

    void append(std::string_view record) {
        const std::array records{record};
        const auto appended = world_.log().append(ahead_lane, records);
        ASSERT_TRUE(appended) << appended.error().message;
    }

    ManualClock clock_{noon};
    LogWorld world_{1};
    const Context context_{.log = &world_.log(), .clock = &clock_};
    EventsAhead ahead_{context_, keep_a_day};
};

TEST_F(EventsAheadTest, what_is_young_is_no_sign_of_a_clock_that_was_ahead) {
    add(3, before + hours{1});
    add(2000, before + hours{2});
    EXPECT_EQ(all_old_to(0, before + hours{1}), 0U);
}

TEST_F(EventsAheadTest, old_ones_behind_it_and_one_that_is_younger_than_they_tell) {
    add(5, before + hours{10});
    add(3, before - hours{1});
    add_control();
    add(4, before + hours{1});
    EXPECT_EQ(all_old_to(0, before + hours{10}), 7U);
    EXPECT_EQ(all_old_to(0, before + hours{10}, 8), 7U) << "what ends a lane is not doubted";
    EXPECT_EQ(all_old_to(0, before + hours{10}, 5), 0U) << "what is not stored does not count";
}

TEST_F(EventsAheadTest, old_ones_between_younger_ones_are_of_a_clock_that_was_behind) {
    add(5, before + hours{10});
    add(3, before - hours{1});
    add(4, before + hours{11});
    EXPECT_EQ(all_old_to(0, before + hours{10}), 0U);
}

TEST_F(EventsAheadTest, what_is_older_than_anything_that_is_kept_is_of_one_that_was_behind) {
    add(5, before + hours{10});
    add(3, Instant{hours{1}});
    EXPECT_EQ(all_old_to(0, before + hours{10}), 0U);
}

/// More than are looked at one by one.
TEST_F(EventsAheadTest, finds_old_ones_further_on) {
    add(3000, before + hours{10});
    add(4000, before - hours{1});
    add(10, before + hours{1});
    EXPECT_EQ(all_old_to(0, before + hours{10}), 6999U);
}

TEST_F(EventsAheadTest, what_is_to_come_is_kept_as_long_as_others_from_when_it_was_seen) {
    const Instant to_come = noon + hours{1000};
    add(5, to_come);
    EXPECT_EQ(all_old_to(0, to_come), 0U);
    add(2, to_come);
    clock_.advance(keep_a_day);
    EXPECT_EQ(all_old_to(0, to_come), 0U);
    clock_.advance(std::chrono::seconds{1});
    EXPECT_EQ(all_old_to(0, to_come), 5U) << "the others were not there yet";
    EXPECT_EQ(all_old_to(5, to_come), 0U);
    clock_.advance(keep_a_day + std::chrono::seconds{1});
    EXPECT_EQ(all_old_to(5, to_come), 7U);
}

TEST_F(EventsAheadTest, what_was_seen_by_a_clock_that_is_behind_counts_for_nothing) {
    add(5, noon);
    clock_.set(Instant{hours{1}});
    EXPECT_EQ(all_old_to(0, noon), 0U);
    clock_.set(noon + hours{1});
    EXPECT_EQ(all_old_to(0, noon), 0U);
}

}  // namespace
}  // namespace footfall::intake
