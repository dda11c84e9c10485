#include "intake/retention.h"

#include "intake/test_world.h"
#include "storage/blocking.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace footfall::intake {
namespace {

using events::Event;
using std::chrono::hours;
using std::chrono::seconds;

constexpr seconds two_days = hours{48};

class RetentionTest : public testing::Test {
protected:
    RetentionTest() { world_.seen().be_stored(); }

    /// Views of as many objects, each with an id, that arrive now.
    void take(const std::string& name, int count) {
        std::vector<Event> events;
        events.reserve(static_cast<std::size_t>(count));
        for (int at = 0; at < count; ++at) {
            events.push_back(
                {.id = fmt::format("{}-{}", name, at),
                 .time = world_.clock().now(),
                 .action = "view",
                 .object = fmt::format("{} {}", name, at),
                 .actor = "u"}
            );
        }
        const auto taken =
            world_.intake().collect({.events = std::move(events), .arrival = world_.clock().now()});
        ASSERT_TRUE(taken) << taken.error().message;
        duplicates_ = taken->duplicates;
    }

    /// All that follows from the events so far is stored, as the lanes' checkpoints say.
    void restart() {
        world_.intake().close();
        world_.crash();
    }

    std::uint64_t sweep() {
        Retention retention{world_.intake(), two_days};
        const auto swept = retention.sweep();
        EXPECT_TRUE(swept) << swept.error().message;
        return swept.value_or(0);
    }

    std::size_t kept() {
        std::size_t kept = 0;
        for (const auto& lane : world_.records()) {
            kept += lane.size();
        }
        return kept;
    }

    bool finds(const std::string& id) {
        const auto found = find_event(world_.intake().context(), id, std::nullopt);
        EXPECT_TRUE(found);
        return found && found->has_value();
    }

    IntakeWorld world_{1 << 20, true};
    std::uint64_t duplicates_ = 0;
};

TEST_F(RetentionTest, lets_events_go_when_they_have_been_kept_long_enough) {
    take("old", 200);
    world_.clock().advance(hours{47});
    take("young", 100);
    restart();
    EXPECT_EQ(sweep(), 0U);
    world_.clock().advance(hours{1} + seconds{1});
    EXPECT_EQ(sweep(), 200U);
    EXPECT_EQ(kept(), 100U);
    const auto expired = world_.seen().expired();
    EXPECT_EQ(expired.size(), 200U);
    EXPECT_TRUE(expired.begin()->second.starts_with("old"));
    EXPECT_EQ(sweep(), 0U) << "once";
    restart();
    EXPECT_EQ(kept(), 100U);
    world_.clock().advance(two_days);
    EXPECT_EQ(sweep(), 100U);
    EXPECT_EQ(kept(), 0U);
    take("new", 10);
    EXPECT_EQ(kept(), 10U);
}

TEST_F(RetentionTest, lets_ids_and_repeats_go_with_their_events_and_no_others) {
    take("post", 50);
    take("post", 50);
    EXPECT_EQ(duplicates_, 50U);
    EXPECT_TRUE(finds("post-7"));
    world_.clock().advance(two_days + seconds{1});
    take("kept", 1);
    restart();
    EXPECT_EQ(sweep(), 50U);
    EXPECT_FALSE(finds("post-7"));
    EXPECT_TRUE(finds("kept-0"));
    const storage::RangeQuery seen_of_post{
        .table = &guard_seen_table,
        .partition =
            {std::string{"view"},
             std::string{"post 7"},
             signed_of(events::keys_of({.actor = "u"}, world_.intake().context().secret)
                           .person.value_or(0))}
    };
    const auto rows_of_post = [&] { return read_all(world_.store(), seen_of_post).value().size(); };
    EXPECT_EQ(rows_of_post(), 1U) << "it stays for a while, and says nothing";
    take("post", 50);
    EXPECT_EQ(duplicates_, 0U) << "nobody knows them any more";
    EXPECT_EQ(rows_of_post(), 2U);
    restart();
    EXPECT_EQ(world_.disk().reclaim(), 50U) << "those of ids were written anew";
    EXPECT_EQ(rows_of_post(), 1U);
    EXPECT_TRUE(finds("post-7"));
    EXPECT_TRUE(finds("kept-0"));
    take("post", 50);
    EXPECT_EQ(duplicates_, 50U);
    restart();
    EXPECT_EQ(sweep(), 0U);
    EXPECT_TRUE(finds("post-7"));
}

TEST_F(RetentionTest, has_the_store_drop_rows_of_events_that_went) {
    take("post", 50);
    world_.clock().advance(two_days + seconds{1});
    restart();
    EXPECT_EQ(world_.disk().reclaim(), 0U);
    EXPECT_EQ(sweep(), 50U);
    EXPECT_EQ(world_.disk().reclaim(), 100U) << "of ids, and of repeats";
}

TEST_F(RetentionTest, keeps_what_a_projection_has_not_stored) {
    IntakeWorld world{1 << 20, true};
    const Event event{.time = world.clock().now(), .action = "view", .object = "a", .actor = "u"};
    ASSERT_TRUE(world.intake().collect({.events = {event}, .arrival = world.clock().now()}));
    world.clock().advance(hours{100});
    world.intake().close();
    world.crash();
    Retention retention{world.intake(), two_days};
    EXPECT_EQ(retention.sweep().value(), 0U);
}

TEST_F(RetentionTest, goes_on_where_it_failed) {
    for (int round = 0; round < 30; ++round) {
        take(fmt::format("old{}", round), 100);
    }
    world_.clock().advance(two_days + seconds{1});
    restart();
    world_.store().set_options({.refuse_submit = 0.3, .lose_only_the_end = true});
    Retention retention{world_.intake(), two_days};
    int failures = 0;
    while (!retention.sweep()) {
        ++failures;
    }
    EXPECT_GT(failures, 3);
    EXPECT_EQ(retention.dropped(), 3000U);
    EXPECT_EQ(kept(), 0U);
    EXPECT_EQ(world_.seen().expired().size(), 3000U);
    EXPECT_FALSE(finds("old3-7"));
}

TEST_F(RetentionTest, events_of_a_clock_that_was_ahead_hold_nobody_back) {
    take("old", 100);
    const Instant right = world_.clock().now();
    world_.clock().advance(hours{24});
    take("ahead", 200);
    world_.clock().set(right + seconds{2});
    take("right", 2000);  // some in every lane
    world_.clock().advance(two_days + seconds{1});
    restart();
    Retention retention{world_.intake(), two_days};
    EXPECT_EQ(retention.sweep().value(), 2300U);
    EXPECT_EQ(retention.ahead(), 200U);
    EXPECT_EQ(kept(), 0U);
}

TEST_F(RetentionTest, what_is_behind_events_of_a_clock_that_was_ahead_is_kept_as_long_as_ever) {
    const Instant right = world_.clock().now();
    world_.clock().advance(hours{24});
    take("ahead", 200);
    world_.clock().set(right + seconds{2});
    take("right", 2000);
    world_.clock().advance(two_days - seconds{1});
    restart();
    Retention retention{world_.intake(), two_days};
    EXPECT_EQ(retention.sweep().value(), 0U);
    EXPECT_EQ(kept(), 2200U);
    EXPECT_TRUE(finds("ahead-7"));
}

/// Where nothing follows that tells.
TEST_F(RetentionTest, what_says_that_it_is_still_to_come_goes_after_it_was_seen_for_long) {
    const Instant right = world_.clock().now();
    world_.clock().advance(std::chrono::years{10});
    take("ahead", 200);
    world_.clock().set(right);
    restart();
    Retention retention{world_.intake(), two_days};
    EXPECT_EQ(retention.sweep().value(), 0U);
    world_.clock().advance(two_days);
    EXPECT_EQ(retention.sweep().value(), 0U);
    world_.clock().advance(hours{1});
    EXPECT_EQ(retention.sweep().value(), 200U);
    EXPECT_EQ(retention.ahead(), 200U);
    EXPECT_EQ(kept(), 0U);
}

/// So many that every lane has some of each.
TEST_F(RetentionTest, events_of_a_clock_that_was_behind_take_nobody_along) {
    const Instant right = world_.clock().now();
    for (const Instant behind : {Instant{hours{1}}, right - hours{36}}) {
        world_.clock().set(right);
        take(fmt::format("before {}", behind.time_since_epoch().count()), 1000);
        world_.clock().set(behind);
        take(fmt::format("behind {}", behind.time_since_epoch().count()), 1000);
    }
    world_.clock().set(right + hours{1});
    take("after", 1000);
    world_.clock().set(right + hours{24});
    restart();
    EXPECT_EQ(sweep(), 0U);
    EXPECT_EQ(kept(), 5000U);
    world_.clock().set(right + two_days + seconds{1});
    EXPECT_EQ(sweep(), 4000U);
    EXPECT_EQ(kept(), 1000U);
}

TEST_F(RetentionTest, says_how_long_what_went_had_been_due) {
    take("old", 10);
    world_.clock().advance(two_days + seconds{90});
    restart();
    Retention retention{world_.intake(), two_days};
    EXPECT_EQ(retention.sweep().value(), 10U);
    EXPECT_EQ(retention.overdue(), seconds{90});
    EXPECT_FALSE(retention.is_behind());
    EXPECT_EQ(retention.sweep().value(), 0U);
    EXPECT_EQ(retention.overdue(), seconds{0}) << "nothing was";
    take("older", 10);
    world_.clock().advance(two_days + std::chrono::minutes{11});
    restart();
    Retention late{world_.intake(), two_days};
    EXPECT_EQ(late.sweep().value(), 10U);
    EXPECT_TRUE(late.is_behind());
}

TEST_F(RetentionTest, waits_for_others_but_not_for_ever) {
    take("old", 1000);
    world_.clock().advance(seconds{3});
    restart();
    world_.store().set_options({.lose_only_the_end = true, .pressure = 1.1});
    Retention retention{world_.intake(), seconds{1}};
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(retention.sweep().value(), 1000U);
    const auto took = std::chrono::steady_clock::now() - begin;
    EXPECT_GE(took, world_.log().lanes() * std::chrono::milliseconds{15});
    EXPECT_EQ(kept(), 0U);
}

TEST_F(RetentionTest, sweeps_by_itself) {
    take("old", 10);
    world_.clock().advance(two_days + seconds{1});
    restart();
    Retention retention{world_.intake(), two_days};
    retention.start();
    while (retention.dropped() < 10) {
        std::this_thread::yield();
    }
    retention.stop();
    EXPECT_EQ(kept(), 0U);
}

}  // namespace
}  // namespace footfall::intake
