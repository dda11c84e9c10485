// What doubles is killed between any two writes, and beside many threads.

#include "foundation/random.h"
#include "foundation/testing/test_seed.h"
#include "foundation_testing/rounds.h"
#include "identities/index_doubling.h"
#include "identities/test_doubling.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace footfall::identities {
namespace {

constexpr IndexStep kills_target{.level = least_index_level + 1};

/// Doubles until so many writes were done; of the next one some partitions come into the rows.
/// False: all was done before.
bool double_until_killed(DoubledWorld& world, int writes, std::uint64_t seed) {
    storage::FaultyStore store{world.disk, seed};
    store.set_options({.hold_writes = true});
    auto done = std::async(std::launch::async, [&]() -> Result<void> {
        const auto identities = world.open(store, 2);
        IndexDoubling doubling = DoubledWorld::doubling_of(*identities, world.shared);
        return world.double_until(doubling, kills_target, store);
    });
    while (done.wait_for(std::chrono::seconds{0}) != std::future_status::ready) {
        if (store.held_writes() == 0) {
            std::this_thread::yield();
        } else if (writes > 0) {
            --writes;
            store.release_writes(1);
        } else {
            store.set_options({.refuse_submit = 1, .refuse_as = ErrorKind::unavailable});
            store.lose_writes();
        }
    }
    return !done.get();
}

void kill_between_any_two_writes(bool shared) {
    bool is_killed = true;
    for (int writes = 0; is_killed; ++writes) {
        SCOPED_TRACE(fmt::format("after {} writes", writes));
        DoubledWorld world;
        world.shared = shared;
        world.begin();
        is_killed = double_until_killed(world, writes, static_cast<std::uint64_t>(writes) + 1);
        ASSERT_NO_FATAL_FAILURE(world.expect_all_right());
        world.say(link(200, {"app:new", "app:a1", "mail:m2"}));
        ASSERT_NO_FATAL_FAILURE(world.expect_all_right());
        world.double_until(kills_target);
        ASSERT_NO_FATAL_FAILURE(world.expect_all_right());
        ASSERT_LT(writes, 1000);
    }
}

TEST(IndexDoublingKills, between_any_two_writes_lose_nothing_where_many_settle) {
    kill_between_any_two_writes(/*shared=*/true);
}

TEST(IndexDoublingKills, between_any_two_writes_lose_nothing_where_one_does) {
    kill_between_any_two_writes(/*shared=*/false);
}

/// What many say, and who may be looked up from then on.
class Crowd {
public:
    Crowd(bool shared, std::uint64_t seed) : seed_{seed} { world_.shared = shared; }

    void run();

private:
    static constexpr std::size_t writers = 4;
    static constexpr std::size_t readers = 2;
    static constexpr int facts_of_writer = 60;
    static constexpr int last_level = least_index_level + 3;

    void write(std::size_t number, Identities& identities);
    void read(Identities& identities);
    void acknowledge(Identities& identities);
    void double_it(Identities& identities);
    Fact some_fact(Random& random, std::size_t number, int at) const;

    void note(std::vector<Id>& list, const Fact& fact) {
        const std::lock_guard lock{mutex_};
        list.insert(list.end(), fact.ids.begin(), fact.ids.end());
    }

    std::vector<Id> some_of(const std::vector<Id>& list, Random& random) {
        const std::lock_guard lock{mutex_};
        std::vector<Id> some;
        for (int count = 0; count < 4 && !list.empty(); ++count) {
            some.push_back(list[random.below(list.size())]);
        }
        arrange(some);
        return some;
    }

    const std::uint64_t seed_;
    DoubledWorld world_{0};
    std::mutex mutex_;
    std::vector<Id> said_;          ///< Guarded by mutex_.
    std::vector<Id> acknowledged_;  ///< Guarded by mutex_.
    std::map<FactId, Fact> facts_;  ///< Guarded by mutex_.
    std::atomic<std::size_t> writing_ = writers;
    std::atomic<bool> is_doubling_ = true;
    std::atomic<std::uint64_t> looks_ = 0;
};

/// Links of a hundred people, of which some are parted again.
Fact Crowd::some_fact(Random& random, std::size_t number, int at) const {
    const auto person = random.below(100);
    const auto id = [&](const char* network) {
        return fmt::format("{}:p{}-{}", network, person, random.below(5));
    };
    const std::vector<std::string> first{id("app")};
    const std::vector<std::string> second{id(random.below(2) == 0 ? "app" : "mail")};
    const auto time = static_cast<std::int64_t>(number) * 1000 + at;
    return random.below(6) == 0 && first != second
               ? parting(time, first, second)
               : link(time, {first.front(), second.front()}, fmt::format("shop{}", number));
}

void Crowd::write(std::size_t number, Identities& identities) {
    Random random{seed_ + number};
    for (int at = 0; at < facts_of_writer || is_doubling_; ++at) {
        const Fact fact = some_fact(random, number, at);
        {
            const std::lock_guard lock{mutex_};
            const auto [known, is_new] = facts_.try_emplace(fact.id, fact);
            if (!is_new) {
                merge(known->second, fact);
            }
        }
        const bool has_profile = fact.kind == FactKind::link;
        if (has_profile) {
            note(said_, fact);
        }
        tell(identities, static_cast<std::uint32_t>(number), static_cast<std::uint64_t>(at), fact);
        const Result<void> written = identities.flush(true);
        ASSERT_TRUE(written) << written.error().message;
        if (has_profile) {
            note(acknowledged_, fact);
        }
    }
}

void Crowd::read(Identities& identities) {
    Random random{seed_ + 100};
    while (writing_ > 0) {
        const std::vector<Id> some = some_of(acknowledged_, random);
        const auto found = read_index(identities.settling().levels(), some);
        ASSERT_TRUE(found) << found.error().message;
        ASSERT_EQ(found->size(), some.size()) << "an acknowledged id was missed";
        ++looks_;
    }
}

/// Another process than that which writes answers who waits, once it sees all in rows.
void Crowd::acknowledge(Identities& identities) {
    Random random{seed_ + 200};
    while (writing_ > 0) {
        const std::vector<Id> some = some_of(said_, random);
        const auto found = read_index(identities.settling().levels(), some, IndexPlaces::all);
        ASSERT_TRUE(found) << found.error().message;
        const std::lock_guard lock{mutex_};
        for (const auto& [id, entry] : *found) {
            if (entry.everywhere) {
                acknowledged_.push_back(id);
            }
        }
    }
}

void Crowd::double_it(Identities& identities) {
    IndexDoubling doubling = DoubledWorld::doubling_of(identities, world_.shared);
    for (;;) {
        const IndexStep step = step_of(world_.disk);
        if (step.phase == IndexPhase::at_rest) {
            if (step.level >= last_level) {
                break;
            }
            const std::unique_lock<std::mutex> alone = identities.settling().alone();
            ASSERT_TRUE(identities.settling().levels().raise(
                doubled_network, {.level = step.level + 1, .phase = IndexPhase::copying}
            ));
        }
        const auto pause = doubling.go_on({});
        ASSERT_TRUE(pause) << pause.error().message;
        world_.clock.advance(*pause);
        std::this_thread::yield();
    }
    is_doubling_ = false;
}

void Crowd::run() {
    // Where the store is one process's alone all share what it knows.
    std::vector<std::unique_ptr<Identities>> opened;
    const auto open = [&]() -> Identities& {
        if (world_.shared || opened.empty()) {
            opened.push_back(world_.open(world_.disk, opened.size() + 1));
        }
        return *opened.back();
    };
    {
        std::vector<std::jthread> threads;
        threads.reserve(writers + readers + 3);
        for (std::size_t number = 0; number < writers; ++number) {
            threads.emplace_back([&, number, &own = open()] {
                write(number, own);
                --writing_;
            });
        }
        for (std::size_t number = 0; number < readers; ++number) {
            threads.emplace_back([&, &own = open()] { read(own); });
        }
        threads.emplace_back([&, &own = open()] { acknowledge(own); });
        for (std::size_t number = 0; number < (world_.shared ? 2 : 1); ++number) {
            threads.emplace_back([&, &own = open()] { double_it(own); });
        }
    }
    EXPECT_GT(looks_, 0);
    for (const auto& [id, fact] : facts_) {
        world_.facts.push_back(fact);
    }
    ASSERT_NO_FATAL_FAILURE(world_.expect_all_right());
}

void run_crowds(bool shared) {
    const std::uint64_t seed = test_seed();
    const std::uint64_t all = rounds(2);
    for (std::uint64_t round = 0; round < all; ++round) {
        SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed + round));
        Crowd crowd{shared, seed + round};
        ASSERT_NO_FATAL_FAILURE(crowd.run());
    }
}

TEST(IndexDoublingThreads, many_processes_settle_and_look_up_while_two_double) {
    run_crowds(/*shared=*/true);
}

TEST(IndexDoublingThreads, many_threads_settle_and_look_up_while_one_doubles) {
    run_crowds(/*shared=*/false);
}

/// As at a start, when lanes are taken over one by one: what has been begun is gone on with, and is
/// not doubled once more before it has come to its end.
TEST(IndexDoublingKills, a_network_that_becomes_ours_at_any_moment_is_doubled_level_by_level) {
    for (int others_for = 0; others_for < 4; ++others_for) {
        SCOPED_TRACE(fmt::format("ours from look {} on", others_for));
        DoubledWorld world{0};
        world.shared = false;
        for (int person = 0; person < 300; ++person) {
            world.say(link(1 + person, {fmt::format("app:p{}", person)}));
        }
        world.begin();
        const auto identities = world.open(world.disk, 2);
        int looks = 0;
        IndexDoubling doubling{
            *identities,
            {.partition_bytes = 20,
             .shared = false,
             .is_ours = [&](const std::string&) { return looks++ >= others_for; }}
        };
        for (int turn = 0; turn < 300 && step_of(world.disk).level < kills_target.level + 2;
             ++turn) {
            ASSERT_TRUE(doubling.go_on({}));
            ASSERT_NO_FATAL_FAILURE(world.expect_found(*identities));
        }
        EXPECT_GE(step_of(world.disk).level, kills_target.level + 1);
    }
}

}  // namespace
}  // namespace footfall::identities
