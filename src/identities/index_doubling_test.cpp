// What doubles, step by step and beside others, who know what is newest and who do not.

#include "identities/index_doubling.h"

#include "foundation/random.h"
#include "foundation/testing/test_seed.h"
#include "identities/found_facts.h"
#include "identities/guards_text.h"
#include "identities/networks.h"
#include "identities/settling_anew.h"
#include "identities/test_doubling.h"
#include "storage/blocking.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace footfall::identities {
namespace {

using namespace std::chrono_literals;

constexpr int doubled_level = least_index_level + 1;
constexpr std::array doubled_steps{
    IndexStep{},
    IndexStep{.level = doubled_level, .phase = IndexPhase::copying},
    IndexStep{.level = doubled_level, .phase = IndexPhase::reading},
    IndexStep{.level = doubled_level, .phase = IndexPhase::emptying},
    IndexStep{.level = doubled_level}
};

Fact new_person(int number) {
    return link(
        200 + number, {fmt::format("app:n{}", number), fmt::format("mail:n{}", number)}, "after"
    );
}

/// Two people are one from now on.
Fact merging(int number) {
    return link(
        300 + number, {fmt::format("app:a{}", number), fmt::format("mail:m{}", number + 1)}, "after"
    );
}

/// A person whose entry goes elsewhere, of the last partition that has one.
int last_moving(const std::string& name, int first) {
    int found = first;
    for (int number = first; number < 12; ++number) {
        const Id id = id_of(fmt::format("app:{}{}", name, number));
        const Id best = id_of(fmt::format("app:{}{}", name, found));
        const bool moves = index_partition(id, doubled_level) != index_partition(id, 8);
        const bool best_moves = index_partition(best, doubled_level) != index_partition(best, 8);
        if (moves && (!best_moves || index_partition(best, 8) < index_partition(id, 8))) {
            found = number;
        }
    }
    return found;
}

TEST(IndexDoubling, an_id_stays_where_it_is_or_goes_as_many_partitions_further_as_there_were) {
    int moved = 0;
    for (int number = 0; number < 1000; ++number) {
        const Id id = id_of(fmt::format("app:{}", number));
        const std::int64_t before = index_partition(id, 8);
        const std::int64_t after = index_partition(id, 9);
        ASSERT_LT(before, 256);
        ASSERT_TRUE(after == before || after == before + 256);
        moved += after == before ? 0 : 1;
    }
    EXPECT_GT(moved, 400);
    EXPECT_LT(moved, 600);
}

TEST(IndexDoubling, every_id_is_found_at_each_step_and_stands_once_at_last) {
    DoubledWorld world{60};
    const auto reader = world.open(world.disk, 7);
    const auto writer = world.open(world.disk, 8);
    const auto doubler = world.open(world.disk, 2);
    IndexDoubling doubling = DoubledWorld::doubling_of(*doubler);
    world.begin();
    int turns = 0;
    while (step_of(world.disk) != doubled_steps.back()) {
        ASSERT_LT(++turns, 1000);
        const auto pause = doubling.go_on({});
        ASSERT_TRUE(pause) << pause.error().message;
        world.clock.advance(*pause);
        ASSERT_TRUE(world.say(*writer, new_person(turns)));
        if (turns < 59) {
            ASSERT_TRUE(world.say(*writer, merging(turns)));
        }
        ASSERT_NO_FATAL_FAILURE(world.expect_found(*reader));
        ASSERT_NO_FATAL_FAILURE(world.expect_all_right());
    }
    EXPECT_GT(turns, 40) << "it waits for others";
    EXPECT_EQ(doubling.doublings(), 1);
    std::map<Id, int> rows;
    for_each_row(world.disk, profile_index_table, [&](const storage::Rows& read, std::size_t row) {
        ++rows[read_index_row(read, row).id];
    });
    for (const auto& [id, count] : rows) {
        EXPECT_EQ(count, 1) << object_of(id);
    }
}

TEST(IndexDoubling, goes_from_level_to_level_where_partitions_are_too_large_and_no_further) {
    DoubledWorld world{0};
    world.shared = false;
    const auto identities = world.open(world.disk, 1);
    for (int person = 0; person < 6000; ++person) {
        world.facts.push_back(link(1 + person, {fmt::format("app:p{}", person)}));
        tell(*identities, lane_of_doubled, world.next_offset++, world.facts.back());
    }
    ASSERT_TRUE(identities->flush(true));
    // About 6000 * 33 bytes.
    IndexDoubling doubling{*identities, {.partition_bytes = 300, .shared = false}};
    for (int turn = 0; turn < 3000; ++turn) {
        const auto pause = doubling.go_on({});
        ASSERT_TRUE(pause) << pause.error().message;
    }
    EXPECT_EQ(doubling.under_way(), 0);
    const IndexStep step = step_of(world.disk);
    EXPECT_EQ(step.phase, IndexPhase::at_rest);
    EXPECT_GE(step.level, 10);
    EXPECT_LE(step.level, 11);
    EXPECT_EQ(doubling.doublings(), static_cast<std::uint64_t>(step.level - least_index_level));
    world.expect_found(*identities);
    world.expect_all_right();
}

TEST(IndexDoubling, one_large_partition_alone_is_no_reason) {
    DoubledWorld world{0};
    const auto identities = world.open(world.disk, 1);
    storage::Batch batch;
    add_network("app", batch);
    for (int number = 0; number < 50'000; ++number) {
        const Id id = id_of(fmt::format("app:{}", number));
        if (index_partition(id, least_index_level) == 7) {
            add_index_entry(id, {.sid = "7b1c2a0e-93d5-5f0e-8a53-9f8f0c7f2d11"}, {}, batch);
        }
    }
    ASSERT_TRUE(storage::write_durably(world.disk, batch));
    IndexDoubling doubling{*identities, {.partition_bytes = 1024, .shared = false}};
    for (int turn = 0; turn < 2000; ++turn) {
        ASSERT_TRUE(doubling.go_on({}));
    }
    EXPECT_EQ(doubling.doublings(), 0);
}

TEST(IndexDoubling, a_stop_is_honoured_and_what_was_begun_is_gone_on_with) {
    DoubledWorld world{20};
    world.begin();
    const auto identities = world.open(world.disk, 2);
    IndexDoubling doubling = DoubledWorld::doubling_of(*identities, /*shared=*/false);
    std::stop_source source;
    source.request_stop();
    const auto stopped = doubling.go_on(source.get_token());
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().kind, ErrorKind::cancelled);
    world.double_until(doubled_steps.back());
    world.expect_all_right();
}

TEST(IndexDoubling, who_settles_slowly_meets_each_step_at_each_moment) {
    for (std::size_t from = 0; from < doubled_steps.size(); ++from) {
        for (std::size_t to = from; to < doubled_steps.size(); ++to) {
            bool in_between = true;
            for (int answers = 0; in_between; answers += to - from > 1 ? 4 : 1) {
                SCOPED_TRACE(fmt::format("from {} to {} after {} answers", from, to, answers));
                DoubledWorld world;
                bring_to(world, doubled_steps[from]);
                in_between = meet_after(
                    world.disk,
                    answers,
                    [&](storage::Store& store) -> Result<void> {
                        const auto slow = world.open(store, 3);
                        TRY_VOID(world.say(*slow, merging(last_moving("a", 1) - 1)));
                        return world.say(*slow, new_person(last_moving("n", 0)));
                    },
                    [&] {
                        if (from == 0 && to > 0) {
                            world.begin();
                        }
                        world.double_until(doubled_steps[to]);
                    }
                );
                ASSERT_NO_FATAL_FAILURE(world.expect_all_right());
                for (std::size_t next = std::max<std::size_t>(to, 1) + 1;
                     to > 0 && next < doubled_steps.size();
                     ++next) {
                    world.double_until(doubled_steps[next]);
                    ASSERT_NO_FATAL_FAILURE(world.expect_all_right());
                }
                ASSERT_FALSE(testing::Test::HasFailure());
                ASSERT_LT(answers, 1000);
            }
        }
    }
}

TEST(IndexDoubling, who_doubles_slowly_is_met_by_who_settles_at_each_moment) {
    for (std::size_t step = 2; step < doubled_steps.size(); ++step) {
        bool in_between = true;
        for (int answers = 0; in_between; answers += 3) {
            SCOPED_TRACE(fmt::format("to {} after {} answers", step, answers));
            DoubledWorld world;
            bring_to(world, doubled_steps[step - 1]);
            in_between = meet_after(
                world.disk,
                answers,
                [&](storage::Store& store) -> Result<void> {
                    const auto slow = world.open(store, 2);
                    IndexDoubling doubling = DoubledWorld::doubling_of(*slow);
                    return world.double_until(doubling, doubled_steps[step], store);
                },
                [&] {
                    for (int number = 0; number < 11; ++number) {
                        world.say(merging(number));
                        world.say(new_person(number));
                    }
                }
            );
            ASSERT_NO_FATAL_FAILURE(world.expect_all_right());
            ASSERT_FALSE(testing::Test::HasFailure());
        }
    }
}

/// It takes no turns with who doubles, where all others do: both read again.
TEST(IndexDoubling, who_doubles_alone_is_met_by_who_settles_later) {
    for (std::size_t step = 2; step < doubled_steps.size(); ++step) {
        bool in_between = true;
        for (int answers = 0; in_between; answers += 3) {
            SCOPED_TRACE(fmt::format("to {} after {} answers", step, answers));
            DoubledWorld world;
            bring_to(world, doubled_steps[step - 1]);
            world.shared = false;
            storage::FaultyStore store{world.disk, 1};
            const auto identities = world.open(store, 2);
            IndexDoubling doubling = DoubledWorld::doubling_of(*identities, /*shared=*/false);
            in_between = meet_after(
                store,
                answers,
                [&] { return world.double_until(doubling, doubled_steps[step], store); },
                [&] {
                    for (int number = 0; number < 11; ++number) {
                        world.facts.push_back(merging(number));
                        write_fact(world.disk, "lane", world.facts.back());
                        const std::vector<Id> ids = ids_of(world.facts.back());
                        EXPECT_TRUE(identities->settling().settle_noted(ids, LaterReason::said, {})
                        );
                    }
                },
                {.writes = false}
            );
            ASSERT_NO_FATAL_FAILURE(world.expect_all_right());
            ASSERT_FALSE(testing::Test::HasFailure());
        }
    }
}

/// Who looks up goes by what it knows for as long as the lease, and not a moment longer.
TEST(IndexDoubling, old_knowledge_finds_all_for_as_long_as_it_is_gone_by) {
    for (const auto ahead : {0ms, 90ms, 1'500ms, 4'900ms, 5'100ms, 60'000ms}) {
        for (std::size_t step = 1; step < doubled_steps.size(); ++step) {
            SCOPED_TRACE(fmt::format("to {} after {} ms", step, ahead.count()));
            DoubledWorld world;
            world.begin();
            const auto writer = world.open(world.disk, 3);
            const auto doubler = world.open(world.disk, 2);
            IndexDoubling doubling = DoubledWorld::doubling_of(*doubler);
            auto reader = world.open(world.disk, 4);
            ASSERT_TRUE(reader->settling().levels().newest());
            while (step_of(world.disk) < doubled_steps[step]) {
                const auto pause = doubling.go_on({});
                ASSERT_TRUE(pause);
                ASSERT_TRUE(world.say(*writer, new_person(static_cast<int>(world.facts.size()))));
                ASSERT_NO_FATAL_FAILURE(world.expect_found(*reader));
                if (*pause > 2ms) {
                    // Waits as long as it says, but who looks up stood still in between.
                    world.clock.advance(ahead);
                    ASSERT_NO_FATAL_FAILURE(world.expect_found(*reader));
                }
                world.clock.advance(*pause);
            }
            ASSERT_NO_FATAL_FAILURE(world.expect_found(*reader));
        }
    }
}

/// It has read where nobody writes any more when it wakes up.
TEST(IndexDoubling, who_stood_still_while_it_looked_up_looks_again) {
    bool in_between = true;
    for (int answers = 0; in_between; ++answers) {
        SCOPED_TRACE(fmt::format("after {} answers", answers));
        DoubledWorld world;
        world.begin();
        in_between = meet_after(
            world.disk,
            answers,
            [&](storage::Store& store) -> Result<void> {
                const auto reader = world.open(store, 4);
                std::vector<Id> ids;
                ids.reserve(11);
                for (int person = 0; person < 11; ++person) {
                    ids.push_back(id_of(fmt::format("app:a{}", person)));
                }
                TRY(const Index found, read_index(reader->settling().levels(), ids));
                const Index wanted = rows_that_follow(world.facts, {}).index;
                for (const Id& each : ids) {
                    // Either as it was when it began, where it was answered before, or as it is.
                    const auto entry = found.find(each);
                    const bool is_old = world.facts.size() == 12;
                    EXPECT_TRUE(
                        entry != found.end() && (is_old || entry->second == wanted.at(each))
                    ) << object_of(each);
                }
                return {};
            },
            [&] {
                world.double_until(doubled_steps[3]);
                for (int number = 0; number < 11; ++number) {
                    world.say(merging(number));
                }
            }
        );
        ASSERT_FALSE(testing::Test::HasFailure());
    }
}

/// As one leaves it who stood still over its write, and was killed then.
TEST(IndexDoubling, an_outdated_copy_does_not_outlive_the_old_entry) {
    for (const bool shared : {true, false}) {
        DoubledWorld world;
        world.shared = shared;
        bring_to(world, doubled_steps[2]);
        storage::Batch batch;
        for (int person = 0; person < 12; ++person) {
            const Id id = id_of(fmt::format("app:a{}", person));
            if (index_partition(id, doubled_level) >= 256) {
                add_index_entry_at(
                    id, {.sid = sid_of(rows_secret, id_of("app:nobody"))}, doubled_level, batch
                );
            }
        }
        ASSERT_FALSE(batch.empty());
        ASSERT_TRUE(storage::write_durably(world.disk, batch));
        world.double_until(doubled_steps.back());
        ASSERT_NO_FATAL_FAILURE(world.expect_all_right());
    }
}

/// Both of one process, whose answers come in turn.
TEST(IndexDoubling, who_settles_alone_is_never_in_the_midst_of_a_copy) {
    bool in_between = true;
    for (int answers = 0; in_between; answers += 2) {
        SCOPED_TRACE(fmt::format("after {} answers", answers));
        DoubledWorld world;
        world.shared = false;
        world.begin();
        storage::FaultyStore store{world.disk, 1};
        const auto identities = world.open(store, 2);
        IndexDoubling doubling = DoubledWorld::doubling_of(*identities, /*shared=*/false);
        ASSERT_TRUE(identities->settling().levels().newest());
        store.set_options({.hold_writes = true, .hold_reads = true});
        std::atomic<int> running = 1;
        const auto start = [&](std::function<Result<void>()> work) {
            return std::async(std::launch::async, [&running, work = std::move(work)] {
                const Result<void> done = work();
                --running;
                return done;
            });
        };
        auto copied =
            start([&] { return world.double_until(doubling, doubled_steps[2], world.disk); });
        std::future<Result<void>> settled;
        for (int released = 0; running > 0;) {
            if (store.held_reads() + store.held_writes() == 0) {
                std::this_thread::yield();
                continue;
            }
            if (released++ == answers) {
                ++running;
                settled =
                    start([&] { return world.say(*identities, merging(last_moving("a", 1) - 1)); });
            }
            store.release_reads(1);
            store.release_writes(1);
        }
        in_between = settled.valid();
        ASSERT_TRUE(copied.get());
        ASSERT_TRUE(!in_between || settled.get());
        ASSERT_NO_FATAL_FAILURE(world.expect_all_right());
    }
}

TEST(IndexDoubling, a_step_that_is_said_late_sets_nothing_back) {
    DoubledWorld world;
    bring_to(world, doubled_steps.back());
    for (const IndexStep& late : doubled_steps) {
        if (late != IndexStep{} && late.phase != IndexPhase::at_rest) {
            ASSERT_TRUE(IndexLevels{world.disk}.raise(doubled_network, late));
            EXPECT_EQ(step_of(world.disk), doubled_steps.back());
        }
    }
    world.expect_all_right();
}

TEST(IndexDoubling, what_is_settled_anew_misses_no_id) {
    bool in_between = true;
    for (int answers = 0; in_between; answers += 13) {
        SCOPED_TRACE(fmt::format("after {} answers", answers));
        DoubledWorld world;
        world.begin();
        world.double_until(doubled_steps[2]);
        // Of ids that nothing else leads to the index comes to say something else.
        Guards guards;
        for (int lonely = 0; lonely < 12; ++lonely) {
            world.say(link(50, {fmt::format("app:s{}", lonely)}));
            guards.identifiers["app"].never.insert(fmt::format("s{}", lonely));
        }
        {
            const auto identities = world.open(world.disk, 1);
            identities->control(
                lane_of_doubled,
                world.next_offset++,
                events::IdentityGuards{
                    .version = 1, .guards = text_of(guards), .said = at_second(900)
                }
            );
            ASSERT_TRUE(identities->flush(true));
        }
        in_between = meet_after(
            world.disk,
            answers,
            [&](storage::Store& store) -> Result<void> {
                const auto slow = world.open(store, 3);
                SettlingAnew anew{*slow, 1};
                for (;;) {
                    TRY(const std::size_t left, anew.go_on({}));
                    if (left == 0) {
                        return {};
                    }
                }
            },
            [&] { world.double_until(doubled_steps.back()); }
        );
        ASSERT_NO_FATAL_FAILURE(expect_rows_follow(world.disk, world.facts, guards));
        ASSERT_FALSE(testing::Test::HasFailure());
    }
}

TEST(IndexDoubling, who_looks_through_all_links_misses_none) {
    for (std::size_t from = 1; from + 1 < doubled_steps.size(); ++from) {
        bool in_between = true;
        for (int answers = 0; in_between; answers += 19) {
            SCOPED_TRACE(fmt::format("from {} after {} answers", from, answers));
            DoubledWorld world;
            bring_to(world, doubled_steps[from]);
            std::set<FactId> found;
            in_between = meet_after(
                world.disk,
                answers,
                [&](storage::Store& store) -> Result<void> {
                    std::optional<PlaceInIndex> after;
                    do {
                        TRY(const FoundFacts some,
                            find_facts(
                                store, [](const Fact&) { return true; }, after, {.found_max = 2}
                            ));
                        for (const FoundFact& each : some.facts) {
                            found.insert(each.fact.id);
                        }
                        after = some.next;
                    } while (after);
                    return {};
                },
                [&] { world.double_until(doubled_steps.back()); }
            );
            ASSERT_EQ(found.size(), world.facts.size());
        }
    }
}

}  // namespace
}  // namespace footfall::identities
