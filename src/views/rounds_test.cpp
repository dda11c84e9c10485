#include "views/test_world.h"
#include "views/views.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace footfall::views {
namespace {

std::vector<Logged> one_event_each(int objects) {
    std::vector<Logged> events;
    events.reserve(static_cast<std::size_t>(objects));
    for (int object = 0; object < objects; ++object) {
        events.push_back(
            {.action = "view", .object = fmt::format("page-{:05}", object), .time = start}
        );
    }
    return events;
}

TEST(ViewRounds, a_cell_is_written_once_an_interval_and_only_when_it_changed) {
    World world;
    const Logged seen{.action = "view", .object = "page", .time = start};
    const auto rows_after = [&](std::chrono::seconds time) {
        world.clock().advance(time);
        EXPECT_TRUE(world.views().flush());
        return world.views().figures().rows_written;
    };
    world.add({seen});
    EXPECT_EQ(rows_after(9s), 0U);
    EXPECT_EQ(rows_after(1s), 2U) << "day and total";
    EXPECT_EQ(rows_after(100s), 2U);
    for (int second = 0; second < 20; ++second) {
        world.add({seen});
        rows_after(1s);
    }
    EXPECT_EQ(rows_after(10s), 6U);
}

TEST(ViewRounds, what_came_by_a_clock_that_was_ahead_does_not_wait_for_it) {
    for (const int objects : {1, 20'000}) {
        World world;
        const Instant right = world.clock().now();
        world.clock().advance(24h);
        world.add(one_event_each(objects));
        ASSERT_TRUE(world.views().flush());
        EXPECT_EQ(world.views().figures().rows_written, 0U);
        world.clock().set(right);
        ASSERT_TRUE(world.views().flush());
        EXPECT_EQ(world.views().figures().rows_written, 2U * static_cast<unsigned>(objects));
        EXPECT_EQ(world.views().figures().unsaved, 0U);
    }
}

TEST(ViewRounds, one_that_began_by_a_clock_that_was_ahead_does_not_wait_for_it) {
    constexpr int objects = 20'000;
    World world;
    const Instant right = world.clock().now();
    world.clock().advance(24h);
    world.add(one_event_each(objects));
    world.clock().advance(59s);
    ASSERT_TRUE(world.views().flush());
    world.add({{.action = "view", .object = "later", .time = start}});
    world.clock().advance(1s);
    ASSERT_TRUE(world.views().flush());
    EXPECT_EQ(world.views().figures().rows_written, 0U) << "a round begins";
    world.clock().set(right);
    world.add({{.action = "view", .object = "later", .time = start}});
    ASSERT_TRUE(world.views().flush());
    EXPECT_GE(world.views().figures().rows_written, 2U * objects);
}

TEST(ViewRounds, of_many_objects_is_spread_over_the_time_until_the_next) {
    constexpr int objects = 20'000;
    constexpr std::uint64_t rows = 2 * objects;  // day and total
    World world;
    const auto rows_after = [&](std::chrono::seconds time) {
        world.clock().advance(time);
        EXPECT_TRUE(world.views().flush());
        return world.views().figures().rows_written;
    };
    world.add(one_event_each(objects));
    const std::size_t lane = World::lane_of("page-00000");
    EXPECT_EQ(rows_after(59s), 0U);
    EXPECT_EQ(rows_after(1s), 0U) << "a round begins";
    for (const std::uint64_t fifth : {1U, 2U, 3U, 4U}) {
        world.add({{.action = "view", .object = "later", .time = start}});
        const std::uint64_t written = rows_after(10s);
        EXPECT_GE(written, fifth * rows / 5);
        EXPECT_LE(written, fifth * rows / 5 + 512);
        EXPECT_EQ(world.views().checkpoint(lane), 0U);
    }
    world.add({{.action = "view", .object = "later", .time = start}});
    EXPECT_EQ(rows_after(10s), rows);
    EXPECT_EQ(world.views().checkpoint(lane), std::uint64_t{objects});
    ASSERT_TRUE(world.views().flush_all());
    EXPECT_EQ(first_difference(stored_rows(world), brute_force(world)), "");
}

TEST(ViewRounds, of_many_objects_is_written_at_once_when_nothing_comes_any_more) {
    constexpr int objects = 20'000;
    World world;
    world.add(one_event_each(objects));
    world.clock().advance(5s);
    ASSERT_TRUE(world.views().flush());
    world.clock().advance(9s);
    ASSERT_TRUE(world.views().flush());
    EXPECT_EQ(world.views().figures().rows_written, 0U);
    world.clock().advance(1s);
    ASSERT_TRUE(world.views().flush());
    EXPECT_EQ(world.views().figures().rows_written, 2U * objects);
    EXPECT_EQ(world.views().figures().unsaved, 0U);
}

TEST(ViewRounds, of_many_objects_ends_sooner_where_memory_is_short) {
    constexpr std::size_t memory = 2'000'000;
    World world{{.memory_bytes = memory}};
    world.add(one_event_each(11'000));
    world.clock().advance(60s);
    ASSERT_TRUE(world.views().flush());
    EXPECT_EQ(world.views().figures().rows_written, 0U) << "a round begins";
    std::vector<Logged> others = one_event_each(8'000);
    for (Logged& event : others) {
        event.object += "-2";
    }
    world.add(others);
    ASSERT_GT(world.views().figures().bytes, memory);
    ASSERT_TRUE(world.views().flush());
    EXPECT_LE(world.views().figures().bytes, memory);
    EXPECT_LT(world.views().figures().rows_written, 2 * 11'000U) << "no more than it must";
}

TEST(ViewRounds, of_few_objects_goes_no_faster_than_it_must_while_the_store_is_under_pressure) {
    constexpr int objects = 5'000;
    constexpr std::uint64_t rows = 2 * objects;
    World world;
    world.store().set_options({.lose_only_the_end = true, .pressure = 0.9});
    world.add(one_event_each(objects));
    world.clock().advance(10s);
    ASSERT_TRUE(world.views().flush());
    EXPECT_EQ(world.views().figures().rows_written, 0U) << "a round begins";
    world.clock().advance(5s);
    ASSERT_TRUE(world.views().flush());
    EXPECT_GE(world.views().figures().rows_written, rows / 2);
    EXPECT_LE(world.views().figures().rows_written, rows / 2 + 512);
    world.store().set_options({.lose_only_the_end = true});
    ASSERT_TRUE(world.views().flush());
    EXPECT_EQ(world.views().figures().rows_written, rows);
}

}  // namespace
}  // namespace footfall::views
