#include "views/views.h"

#include "views/row_cells.h"
#include "views/test_world.h"

#include <gmock/gmock.h>

namespace footfall::views {
namespace {

Result<RowCells> read_expired(
    World& world, std::size_t lane, std::string_view action, std::string_view object
) {
    const RowMark mark{
        .tables = expired_tables, .writer = writer_of(test_log, lane), .sketch_key = test_key
    };
    return read_row_cells(world.store(), mark, action, object);
}

TEST(Views, rows_are_what_brute_force_makes_of_the_events) {
    Random random{1};
    World world;
    for (int round = 0; round < 40; ++round) {
        world.add(random_events(random, 250));
        world.clock().advance(3s);
        ASSERT_TRUE(world.views().flush());
    }
    ASSERT_TRUE(world.views().flush_all());
    EXPECT_EQ(stored_rows(world), brute_force(world));
}

TEST(Views, rows_are_the_same_whatever_was_evicted) {
    Random random{2};
    World world{{.memory_bytes = 20'000, .flush_interval = 1s}};
    for (int round = 0; round < 200; ++round) {
        world.add(random_events(random, 60));
        world.clock().advance(1s);
        ASSERT_TRUE(world.views().flush());
        ASSERT_LE(world.views().figures().bytes, 60'000U);
    }
    ASSERT_TRUE(world.views().flush_all());
    EXPECT_GT(world.views().figures().cells_evicted, 1000U);
    EXPECT_EQ(stored_rows(world), brute_force(world));
}

TEST(Views, after_crashes_the_log_from_the_checkpoint_gives_the_same_rows) {
    Random random{3};
    World world{{.memory_bytes = 50'000, .flush_interval = 5s}};
    std::uint64_t read_again = 0;
    std::uint64_t skipped = 0;
    for (int round = 0; round < 60; ++round) {
        world.store().set_options(
            {.refuse_submit = round % 3 == 0 ? 0.5 : 0,
             .lose_only_the_end = true,
             .duplicate_write = 0.1,
             .hold_writes = true,
             .write_early = round % 2 == 0}
        );
        for (int part = 0; part < 5; ++part) {
            world.add(random_events(random, 30));
            world.clock().advance(2s);
            ASSERT_TRUE(world.views().flush());
            world.store().release_writes(random.below(3));
            world.take_checkpoints();
        }
        world.restart();
        for (std::size_t lane = 0; lane < World::lanes; ++lane) {
            skipped += world.checkpoint(lane);
            read_again += world.log(lane).size() - world.checkpoint(lane);
        }
        world.read_log_again();
    }
    ASSERT_TRUE(world.views().flush_all());
    EXPECT_EQ(stored_rows(world), brute_force(world));
    EXPECT_GT(read_again, 1000U);
    EXPECT_GT(skipped, 10'000U) << "the checkpoint moves";
}

TEST(Views, what_has_left_the_log_is_what_would_follow_from_it) {
    struct Truth {
        EventCounts counts;
        sketches::Sketch people;
    };

    Random random{8};
    World world;
    world.add(random_events(random, 20'000));
    ASSERT_TRUE(world.views().flush_all());
    const AllRows rows_before = stored_rows(world);
    std::map<std::tuple<std::size_t, std::string, std::string>, std::map<Day, Truth>> truths;
    for (std::size_t lane = 0; lane < World::lanes; ++lane) {
        const std::size_t gone = world.log(lane).size() / 2;
        for (std::size_t at = 0; at < gone; at += 300) {
            const std::size_t before = std::min(at + 300, gone);
            world.expire(lane, at, before);
            world.expire(lane, at - std::min<std::size_t>(at, 100), before);  // as after a crash
        }
        for (std::size_t at = 0; at < gone; ++at) {
            const Logged& event = world.log(lane)[at];
            for (const Day day : {day_of(event.time), lifetime}) {
                Truth& truth = truths[{lane, event.action, event.object}][day];
                truth.counts.add(event.refusal, 1);
                if (event.refusal.empty() && event.person) {
                    truth.people.add(*event.person);
                }
            }
        }
    }
    for (const auto& [name, days] : truths) {
        const auto& [lane, action, object] = name;
        const auto expired = read_expired(world, lane, action, object);
        ASSERT_TRUE(expired) << expired.error().message;
        ASSERT_EQ(expired->size(), days.size()) << action << " " << object;
        for (const auto& [day, truth] : days) {
            const RowCell& cell = expired->at(day);
            EXPECT_EQ(cell.counts.counted, truth.counts.counted);
            EXPECT_EQ(cell.counts.refused, truth.counts.refused);
            EXPECT_EQ(cell.people.written(test_key), truth.people.written(test_key));
        }
    }
    EXPECT_TRUE(read_expired(world, 0, "view", "another")->empty());
    EXPECT_EQ(stored_rows(world), rows_before) << "what is shown does not change";
}

TEST(Views, of_lost_writes_nothing_stays_in_memory) {
    Random random{4};
    World world;
    world.add(random_events(random, 100));
    ASSERT_TRUE(world.views().flush_all());
    world.take_checkpoints();
    world.store().set_options(
        {.lost_but_written = 0.5, .lose_only_the_end = true, .hold_writes = true}
    );
    for (int part = 0; part < 5; ++part) {
        world.add(random_events(random, 100));
        world.clock().advance(11s);
        ASSERT_TRUE(world.views().flush());
    }
    world.store().lose_writes();
    world.store().set_options({});
    EXPECT_EQ(world.views().figures().cells, 0U);
    EXPECT_EQ(world.views().checkpoint(0), 0U) << "nothing was applied since";
    world.read_log_again();
    ASSERT_TRUE(world.views().flush_all());
    EXPECT_EQ(stored_rows(world), brute_force(world));
}

TEST(Views, a_hold_from_before_lost_writes_does_no_harm) {
    World world;
    const Logged seen{.action = "view", .object = "o", .time = start, .person = 1};
    const std::vector<Touch> touches{seen.touch()};
    std::optional<Hold> old = *world.views().hold(1, touches);
    world.views().drop_all();
    const Result<Hold> now = world.views().hold(1, touches);
    ASSERT_TRUE(now);
    const std::array facts{seen.fact(0), seen.fact(1), seen.fact(5)};
    world.views().apply(*old, {&facts[2], 1});
    world.views().apply(*now, {&facts[0], 1});
    old.reset();
    world.views().apply(*now, {&facts[1], 1});
    EXPECT_EQ(world.views().checkpoint(1), 0U);
    ASSERT_TRUE(world.views().flush_all());
    EXPECT_EQ(world.views().checkpoint(1), 2U);
}

TEST(Views, a_cell_is_written_once_an_interval_and_only_when_it_changed) {
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

/// The size classes by which an object stands in the ranking.
std::vector<std::int64_t> classes_of(World& world, const std::string& object, RankBy by) {
    std::vector<std::int64_t> classes;
    for (std::int64_t size_class = 0; size_class <= top_size_class; ++size_class) {
        const auto lane = static_cast<std::int64_t>(World::lane_of(object));
        const auto row = storage::read_one(
            world.disk(),
            view_rank_table,
            {std::string{"view"}, std::string{name_of(by)}, size_class, lane, object}
        );
        EXPECT_TRUE(row);
        if (row && *row) {
            classes.push_back(size_class);
        }
    }
    return classes;
}

TEST(Views, an_object_is_ranked_in_its_size_class_and_all_below_whenever_rows_are_written) {
    const auto seen_by = [](std::uint64_t person) {
        return Logged{
            .action = "view", .object = "page", .time = start, .person = person * 0x9e3779b97f4a7c15
        };
    };
    for (const int events_a_row : {1, 7, 100}) {
        World world;
        world.add({{.action = "view", .object = "page", .time = start}});
        ASSERT_TRUE(world.views().flush_all());
        EXPECT_THAT(classes_of(world, "page", RankBy::people), testing::IsEmpty());
        EXPECT_THAT(classes_of(world, "page", RankBy::views), testing::ElementsAre(0));
        for (int event = 1; event <= 100; ++event) {
            world.add({seen_by(static_cast<std::uint64_t>(event % 20))});
            if (event % events_a_row == 0) {
                ASSERT_TRUE(world.views().flush_all());
            }
        }
        ASSERT_TRUE(world.views().flush_all());
        EXPECT_THAT(classes_of(world, "page", RankBy::people), testing::ElementsAre(0, 1, 2));
        EXPECT_THAT(classes_of(world, "page", RankBy::views), testing::ElementsAre(0, 1, 2, 3));
    }
}

TEST(Views, an_object_that_people_see_after_it_was_written_without_any_is_ranked) {
    World world;
    world.add({{.action = "view", .object = "page", .time = start, .refusal = "repeat"}});
    ASSERT_TRUE(world.views().flush_all());
    world.add({{.action = "view", .object = "page", .time = start, .person = 1}});
    ASSERT_TRUE(world.views().flush_all());
    EXPECT_THAT(classes_of(world, "page", RankBy::people), testing::ElementsAre(0));
    EXPECT_THAT(classes_of(world, "page", RankBy::views), testing::ElementsAre(0));
}

TEST(Views, the_checkpoint_waits_for_what_is_not_durable) {
    World world;
    const auto view = [](const char* object) {
        return Logged{.action = "view", .object = object, .time = start};
    };
    const auto checkpoint_after = [&](std::chrono::seconds time) {
        world.clock().advance(time);
        EXPECT_TRUE(world.views().flush());
        return world.views().checkpoint(1);
    };
    world.store().set_options({.lose_only_the_end = true, .hold_writes = true});
    EXPECT_EQ(world.views().checkpoint(1), 0U);
    world.add({view("a"), view("a")});
    EXPECT_EQ(checkpoint_after(6s), 0U);
    world.add({view("b"), view("a")});
    EXPECT_EQ(checkpoint_after(5s), 0U) << "submitted, not durable";
    world.store().release_writes();
    EXPECT_EQ(world.views().checkpoint(1), 2U) << "b has no row";
    world.add({view("a")});
    EXPECT_EQ(checkpoint_after(5s), 2U);
    world.store().release_writes();
    EXPECT_EQ(world.views().checkpoint(1), 4U) << "what was added to a since";
    EXPECT_EQ(checkpoint_after(10s), 4U);
    world.store().release_writes();
    EXPECT_EQ(world.views().checkpoint(1), 5U);
}

TEST(Views, what_the_store_refuses_stays_and_is_written_later) {
    World world;
    world.add({{.action = "view", .object = "page", .time = start}});
    world.clock().advance(10s);
    world.store().set_options({.refuse_submit = 1});
    EXPECT_TRUE(world.views().flush());
    EXPECT_EQ(world.views().flush_all().error().kind, ErrorKind::overloaded);
    world.store().set_options({.refuse_submit = 1, .refuse_as = ErrorKind::unavailable});
    EXPECT_EQ(world.views().flush().error().kind, ErrorKind::unavailable);
    EXPECT_EQ(world.views().figures().unsaved, 2U);
    world.store().set_options({});
    ASSERT_TRUE(world.views().flush());
    EXPECT_EQ(stored_rows(world), brute_force(world));
}

TEST(Views, refuse_to_hold_more_while_memory_is_full_of_what_is_not_durable) {
    Random random{5};
    World world{{.memory_bytes = 10'000}};
    world.store().set_options({.lose_only_the_end = true, .hold_writes = true});
    std::optional<Error> error;
    std::uint64_t object = 0;
    const auto hold_one = [&] {
        const Logged seen{
            .action = "view", .object = fmt::format("object {}", object++), .time = start
        };
        const Touch touch = seen.touch();
        const Result<Hold> hold = world.views().hold(0, {&touch, 1});
        if (hold) {
            const Fact fact = seen.fact(object);
            world.views().apply(*hold, {&fact, 1});
        }
        return hold ? std::nullopt : std::optional{hold.error()};
    };
    while (object < 1000 && !error) {
        error = hold_one();
    }
    EXPECT_EQ(error.value_or(Error{}).kind, ErrorKind::overloaded);
    EXPECT_LE(world.views().figures().bytes, 21'000U);
    world.store().release_writes();
    EXPECT_FALSE(hold_one());
}

TEST(Views, a_read_that_fails_fails_the_hold_and_leaves_nothing) {
    World world;
    const Touch touch{.action = "view", .object = "page", .time = start};
    world.store().set_options({.fail_read = 1});
    EXPECT_EQ(world.views().hold(0, {&touch, 1}).error().kind, ErrorKind::timed_out);
    EXPECT_EQ(world.views().figures().objects, 0U);
    world.store().set_options({});
    EXPECT_TRUE(world.views().hold(0, {&touch, 1}));
}

TEST(Views, a_row_that_is_damaged_fails_the_hold_by_name) {
    World world;
    world.add({{.action = "view", .object = "page", .time = start}});
    ASSERT_TRUE(world.views().flush_all());
    storage::Batch batch;
    batch.upsert(
        view_total_table,
        {"view",
         "page",
         first_epoch,
         writer_of(test_log, World::lane_of("page")),
         std::int64_t{2},
         std::int64_t{0},
         "damaged",
         "",
         std::int64_t{1}}
    );
    ASSERT_TRUE(storage::write_durably(world.disk(), batch));
    world.restart();
    const Touch touch{.action = "view", .object = "page", .time = start};
    const Error error = world.views().hold(World::lane_of("page"), {&touch, 1}).error();
    EXPECT_EQ(error.kind, ErrorKind::corrupt);
    EXPECT_THAT(error.message, testing::HasSubstr("view_total of view page"));
    EXPECT_EQ(world.views().figures().objects, 0U);
}

}  // namespace
}  // namespace footfall::views
