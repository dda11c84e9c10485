#include "intake/known_ids.h"

#include "foundation/random.h"
#include "intake/retention.h"
#include "intake/test_world.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace footfall::intake {
namespace {

using events::Event;

TEST(IdFilter, never_says_no_of_what_was_added_and_seldom_yes_of_others) {
    IdFilter filter{1 << 20};
    Random random{5};
    std::vector<std::uint64_t> added(filter.capacity());
    for (std::uint64_t& each : added) {
        each = random();
        filter.add(each);
    }
    EXPECT_EQ(filter.added(), added.size());
    EXPECT_TRUE(std::ranges::all_of(added, [&](std::uint64_t each) {
        return filter.may_contain(each);
    }));
    std::uint64_t taken_for_added = 0;
    constexpr std::uint64_t others = 100'000;
    for (std::uint64_t at = 0; at < others; ++at) {
        taken_for_added += filter.may_contain(random()) ? 1 : 0;
    }
    EXPECT_LT(taken_for_added, others / 100);
    EXPECT_GT(taken_for_added, others / 1000);  // else it is not the filter that answers
}

class KnownIdsTest : public testing::Test {
protected:
    KnownIdsTest() { world_.seen().be_stored(); }

    /// Events of these numbers, each of an object and an id of its own. Answers how many were there
    /// already.
    std::uint64_t take(int first, int count) {
        std::vector<Event> events;
        for (int at = first; at < first + count; ++at) {
            events.push_back(
                {.id = fmt::format("id {}", at),
                 .time = world_.clock().now(),
                 .action = "view",
                 .object = fmt::format("object {}", at),
                 .actor = "u"}
            );
        }
        const auto taken =
            world_.intake().collect({.events = std::move(events), .arrival = world_.clock().now()});
        EXPECT_TRUE(taken) << taken.error().message;
        return taken ? taken->duplicates : 0;
    }

    std::uint64_t looked_up() { return world_.intake().figures().ids_looked_up; }

    /// Until the filter that the intake builds after its start answers.
    KnownIds& known() {
        KnownIds& known = *world_.intake().known_ids();
        while (known.all() == nullptr) {
            std::this_thread::yield();
        }
        return known;
    }

    IntakeWorld world_{1 << 20, true};
};

TEST_F(KnownIdsTest, new_ids_are_not_looked_for_in_the_store_and_known_ones_are) {
    known();
    const std::uint64_t before = looked_up();
    EXPECT_EQ(take(0, 100), 0U);
    EXPECT_LE(looked_up() - before, 5U);  // the filter errs for 1 in 150
    EXPECT_EQ(take(0, 100), 100U);
    EXPECT_GE(looked_up() - before, 100U);
}

TEST_F(KnownIdsTest, ids_of_before_the_start_are_known) {
    take(0, 500);
    world_.intake().close();
    world_.crash();
    known();
    EXPECT_EQ(take(0, 600), 500U);
}

TEST_F(KnownIdsTest, ids_whose_rows_were_lost_are_known) {
    known();
    take(0, 200);
    world_.crash();
    world_.seen().be_stored();
    const auto records = world_.records();
    std::size_t kept = 0;
    for (const auto& lane : records) {
        kept += lane.size();
    }
    known();
    const std::uint64_t there = take(0, 200);
    EXPECT_LE(there, kept);
    EXPECT_EQ(take(0, 200), 200U);
}

TEST_F(KnownIdsTest, ids_whose_rows_were_not_written_when_the_filter_was_built_are_known) {
    world_.store().set_options({.hold_writes = true});
    take(0, 100);
    ASSERT_TRUE(world_.intake().known_ids()->build());
    world_.store().set_options({});
    world_.store().release_writes();
    take(100, 100);  // what was young is no longer
    EXPECT_EQ(take(0, 200), 200U);
}

TEST_F(KnownIdsTest, when_most_ids_of_a_full_filter_are_gone_another_takes_its_place) {
    KnownIds& before = known();
    ASSERT_TRUE(before.build());
    EXPECT_FALSE(before.is_due());
    take(0, 1000);
    ASSERT_GT(before.all()->added(), before.all()->capacity());
    EXPECT_FALSE(before.is_due());  // all of them are kept
    world_.clock().advance(std::chrono::hours{49});
    world_.intake().close();
    world_.crash();
    KnownIds& again = known();
    ASSERT_TRUE(again.build());
    Retention retention{world_.intake(), std::chrono::hours{48}};
    ASSERT_EQ(retention.sweep().value_or(0), 1000U);
    EXPECT_TRUE(again.is_due());
    ASSERT_TRUE(again.build());
    EXPECT_FALSE(again.is_due());
    EXPECT_EQ(again.all()->added(), 0U);
    EXPECT_EQ(take(0, 1000), 0U);
    EXPECT_EQ(take(0, 1000), 1000U);
}

/// Filters take each other's place all the time, while others send everything twice, at once.
TEST_F(KnownIdsTest, an_event_that_is_sent_twice_at_once_counts_once_while_filters_change) {
    constexpr int rounds = 300;
    constexpr int events = 20;
    std::atomic<std::uint64_t> duplicates = 0;
    std::atomic<int> senders = 2;
    const auto send = [&] {
        for (int round = 0; round < rounds; ++round) {
            duplicates += take(round * events, events);
        }
        --senders;
    };
    int built = 0;
    {
        const std::jthread first{send};
        const std::jthread second{send};
        for (; senders.load() > 0; ++built) {
            ASSERT_TRUE(world_.intake().known_ids()->build());
        }
    }
    EXPECT_EQ(duplicates, std::uint64_t{rounds * events});
    EXPECT_GT(built, 10);
}

}  // namespace
}  // namespace footfall::intake
