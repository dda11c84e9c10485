#include "views/views.h"

#include "views/row_cells.h"
#include "views/test_world.h"

#include <gmock/gmock.h>

#include <thread>

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
    EXPECT_EQ(first_difference(stored_rows(world), brute_force(world)), "");
}

/// So many people, each once.
std::vector<Logged> people_of(const std::string& object, std::uint64_t people) {
    std::vector<Logged> events;
    events.reserve(people);
    for (std::uint64_t person = 1; person <= people; ++person) {
        events.push_back(
            {.action = "view",
             .object = object,
             .time = start,
             .person = person * 0x9e3779b97f4a7c15}
        );
    }
    return events;
}

std::string first_of(World& world, RankBy by) {
    const Result<Ranking> ranking = world.views().top("view", by, 1);
    return ranking && !ranking->objects.empty() ? ranking->objects.front().object : "nothing";
}

/// A ranking remembers for a minute which class is the largest.
TEST(Views, a_ranking_has_what_outgrew_the_largest_class_a_moment_ago) {
    World world;
    world.add(people_of("a", 5));
    ASSERT_TRUE(world.views().flush_all());
    EXPECT_EQ(first_of(world, RankBy::people), "a");
    EXPECT_EQ(first_of(world, RankBy::views), "a");
    world.clock().advance(10s);
    world.add(people_of("bb", 1500));
    ASSERT_TRUE(world.views().flush_all());
    EXPECT_EQ(first_of(world, RankBy::people), "bb");
    EXPECT_EQ(first_of(world, RankBy::views), "bb");
    world.clock().advance(60s);
    EXPECT_EQ(first_of(world, RankBy::people), "bb");
}

TEST(Views, rows_are_the_same_whatever_was_evicted) {
    Random random{2};
    World world{{.memory_bytes = 600'000, .flush_interval = 1s}};
    for (int round = 0; round < 100; ++round) {
        // Now few events of many objects, now many of few.
        world.add(random_events(random, round % 10 == 0 ? 6000 : 60));
        world.clock().advance(1s);
        ASSERT_TRUE(world.views().flush());
        world.check_account();
        ASSERT_LE(world.views().figures().bytes, 1'500'000U);
    }
    ASSERT_TRUE(world.views().flush_all());
    EXPECT_GT(world.views().figures().evicted, 20U);
    EXPECT_EQ(first_difference(stored_rows(world), brute_force(world)), "");
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
    EXPECT_EQ(first_difference(stored_rows(world), brute_force(world)), "");
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
    EXPECT_EQ(first_difference(stored_rows(world), rows_before), "")
        << "what is shown does not change";
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
    EXPECT_EQ(world.views().figures().objects, 0U);
    EXPECT_EQ(world.views().checkpoint(0), 0U) << "nothing was applied since";
    world.read_log_again();
    ASSERT_TRUE(world.views().flush_all());
    EXPECT_EQ(first_difference(stored_rows(world), brute_force(world)), "");
}

TEST(Views, what_was_read_before_writes_were_lost_is_not_written) {
    World world;
    world.add({{.action = "view", .object = "page", .time = start, .person = 1}});
    world.store().set_options({.lose_only_the_end = true, .hold_reads = true});
    world.clock().advance(10s);
    {
        const std::jthread thread{[&] { EXPECT_TRUE(world.views().flush()); }};
        while (world.store().held_reads() == 0) {
            std::this_thread::yield();
        }
        world.views().drop_all();
        world.store().set_options({});
        world.store().release_reads();
    }
    EXPECT_EQ(world.views().figures().rows_written, 0U);
    EXPECT_EQ(world.views().checkpoint(1), 0U) << "nothing was applied since";
    world.read_log_again();
    ASSERT_TRUE(world.views().flush_all());
    EXPECT_EQ(world.views().checkpoint(1), 1U);
    EXPECT_EQ(first_difference(stored_rows(world), brute_force(world)), "");
}

TEST(Views, a_busy_object_is_counted_right_on_days_that_are_not_in_memory) {
    Random random{13};
    World world;
    for (int round = 0; round < 8; ++round) {
        std::vector<Logged> events;
        events.reserve(1500);
        for (int at = 0; at < 1500; ++at) {
            events.push_back(
                {.action = "view",
                 .object = "page",
                 .time = start - std::chrono::days{random.below(4) == 0 ? random.below(200) : 0},
                 .person = random.below(5000) * 0x9e3779b97f4a7c15}
            );
        }
        for (std::size_t from = 0; from < events.size(); from += 300) {
            world.add(
                {events.begin() + static_cast<std::ptrdiff_t>(from),
                 events.begin() + static_cast<std::ptrdiff_t>(from + 300)}
            );
            world.clock().advance(2s);
            ASSERT_TRUE(world.views().flush());
        }
    }
    ASSERT_TRUE(world.views().flush_all());
    EXPECT_EQ(first_difference(stored_rows(world), brute_force(world)), "");
}

TEST(Views, nothing_is_read_when_events_come) {
    Random random{11};
    World world;
    world.store().set_options({.fail_read = 1});
    world.add(random_events(random, 5000));
    EXPECT_EQ(world.views().figures().rows_read, 0U);
    world.store().set_options({});
    ASSERT_TRUE(world.views().flush_all());
    EXPECT_EQ(first_difference(stored_rows(world), brute_force(world)), "");
}

TEST(Views, of_an_object_without_rows_only_the_one_of_all_days_is_looked_for) {
    World world;
    const auto seen = [](const char* object, std::chrono::hours before) {
        return Logged{.action = "view", .object = object, .time = start - before};
    };
    world.add({seen("a", 0h), seen("a", 24h), seen("a", 48h), seen("b", 0h)});
    ASSERT_TRUE(world.views().flush_all());
    EXPECT_EQ(world.views().figures().rows_asked, 2U) << "one of each";
    world.restart();
    world.add({seen("a", 0h), seen("a", 24h), seen("a", 72h)});
    ASSERT_TRUE(world.views().flush_all());
    EXPECT_EQ(world.views().figures().rows_asked, 4U) << "a knows all days, of which three";
    EXPECT_EQ(world.views().figures().rows_read, 3U);
    EXPECT_EQ(first_difference(stored_rows(world), brute_force(world)), "");
}

/// What reports say of every object, as text.
std::map<std::string, std::string> told(World& world) {
    std::map<std::string, std::string> told;
    for (std::size_t lane = 0; lane < World::lanes; ++lane) {
        for (const Logged& event : world.log(lane)) {
            std::string& text = told[event.action + " " + event.object];
            if (!text.empty()) {
                continue;
            }
            const auto report =
                world.views().report(lane, {.action = event.action, .object = event.object});
            EXPECT_TRUE(report) << report.error().message;
            if (!report) {
                continue;
            }
            text = fmt::format(
                "{} of {}, {} people",
                report->counts.counted,
                report->counts.events(),
                report->people
            );
            for (const DayReport& day : report->days) {
                text += fmt::format(
                    "; {}: {} of {}, {}",
                    day.day,
                    day.counts.counted,
                    day.counts.events(),
                    day.people.value_or(0)
                );
            }
        }
    }
    return told;
}

TEST(Views, what_waits_is_told_as_it_will_be_once_it_is_written) {
    Random random{12};
    World world;
    for (int round = 0; round < 6; ++round) {
        world.add(random_events(random, 3000));
        if (round % 2 == 1) {  // some are busy now, and some rows are on their way
            world.store().set_options({.lose_only_the_end = true, .hold_writes = true});
            world.clock().advance(10s);
            ASSERT_TRUE(world.views().flush());
        }
        world.add(random_events(random, 300));
        const auto before = told(world);
        world.store().set_options({});
        world.store().release_writes();
        ASSERT_TRUE(world.views().flush_all());
        EXPECT_EQ(told(world), before);
    }
    EXPECT_EQ(first_difference(stored_rows(world), brute_force(world)), "");
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

TEST(Views, articles_that_were_read_are_in_no_list_of_the_largest) {
    World world;
    for (std::uint64_t reader = 0; reader < 20; ++reader) {
        world.add(
            {{.action = "read", .object = "https://a.example/", .time = start, .person = reader}}
        );
    }
    ASSERT_TRUE(world.views().flush_all());
    for (const storage::Table* table : {&view_rank_table, &rankings::rank_day_table}) {
        const auto rows = storage::scan_page(world.disk(), {.table = table});
        ASSERT_TRUE(rows);
        EXPECT_EQ(rows->rows.size(), 0U) << table->name;
    }
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
    world.add({view("a")});
    world.store().release_writes();
    EXPECT_EQ(world.views().checkpoint(1), 4U) << "a was seen once more since";
    EXPECT_EQ(checkpoint_after(9s), 4U);
    EXPECT_EQ(checkpoint_after(1s), 4U) << "submitted, not durable";
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
    EXPECT_EQ(world.views().figures().unsaved, 1U);
    world.store().set_options({});
    ASSERT_TRUE(world.views().flush());
    EXPECT_EQ(first_difference(stored_rows(world), brute_force(world)), "");
}

TEST(Views, take_no_more_while_memory_is_full_of_what_is_not_durable) {
    World world{{.memory_bytes = 10'000}};
    world.store().set_options({.lose_only_the_end = true, .hold_writes = true});
    Result<void> room;
    std::uint64_t object = 0;
    const auto apply_one = [&] {
        const std::string name = fmt::format("object {}", object);
        const Fact fact{.action = "view", .object = name, .offset = object++, .time = start};
        world.views().apply(0, {&fact, 1});
    };
    while (object < 1000 && room) {
        apply_one();
        room = world.views().wait_for_room();
    }
    EXPECT_EQ(room.error().kind, ErrorKind::overloaded);
    EXPECT_LE(world.views().figures().bytes, 36'000U) << "a table doubled";
    world.store().release_writes();
    EXPECT_TRUE(world.views().wait_for_room());
}

TEST(Views, a_read_that_fails_loses_nothing) {
    World world;
    world.add({{.action = "view", .object = "page", .time = start, .person = 1}});
    world.store().set_options({.fail_read = 1});
    EXPECT_EQ(world.views().flush_all().error().kind, ErrorKind::timed_out);
    EXPECT_EQ(world.views().figures().unsaved, 1U);
    EXPECT_EQ(world.views().checkpoint(1), 0U);
    world.store().set_options({});
    ASSERT_TRUE(world.views().flush_all());
    EXPECT_EQ(first_difference(stored_rows(world), brute_force(world)), "");
}

TEST(Views, a_row_that_is_damaged_is_named_and_keeps_no_other_from_being_written) {
    World world;
    world.add({{.action = "view", .object = "page", .time = start}});
    ASSERT_TRUE(world.views().flush_all());
    const std::uint64_t before = world.views().checkpoint(World::lane_of("page"));
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
    world.add({{.action = "view", .object = "page", .time = start}});
    world.add({{.action = "view", .object = "pages", .time = start}});
    const Result<void> flushed = world.views().flush_all();
    ASSERT_FALSE(flushed);
    EXPECT_EQ(flushed.error().kind, ErrorKind::corrupt);
    EXPECT_THAT(flushed.error().message, testing::HasSubstr("view_total of view page"));
    EXPECT_EQ(world.views().figures().unsaved, 1U);
    EXPECT_EQ(world.views().checkpoint(World::lane_of("page")), before);
    EXPECT_EQ(world.views().checkpoint(World::lane_of("pages")), 1U);
}

}  // namespace
}  // namespace footfall::views
