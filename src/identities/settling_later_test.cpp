#include "identities/settling_later.h"

#include "foundation/random.h"
#include "foundation/testing/test_seed.h"
#include "foundation_testing/rounds.h"
#include "identities/row_check.h"
#include "identities/test_history.h"
#include "identities/test_meeting.h"
#include "identities/test_rows.h"
#include "identities/test_telling.h"
#include "storage/memory_store.h"
#include "storage/testing/faulty_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace footfall::identities {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t later_lane = 5;

std::vector<Later> notes_in(storage::Store& store) {
    return read_later(store, 1'000'000).value();
}

/// Until nothing is left that is to be done.
void settle_all(SettlingLater& later) {
    for (int turn = 0; turn < 1000; ++turn) {
        const Result<bool> more = later.go_on({});
        ASSERT_TRUE(more) << more.error().message;
        if (!*more) {
            return;
        }
    }
    FAIL() << "there is always more";
}

class SettlingLaterTest : public testing::Test {
protected:
    Identities::Options options(journal::LogId log = 1) const {
        return {
            .secret = rows_secret,
            .log = log,
            .shared = shared_,
            .replay = 3,
            .later_facts_max = later_facts_max_
        };
    }

    void open() { identities_ = std::make_unique<Identities>(store_, clock_, options()); }

    void say(const Fact& fact) {
        tell(*identities_, later_lane, facts_.size(), fact);
        facts_.push_back(fact);
        ASSERT_TRUE(identities_->flush(true));
    }

    /// One that is linked with five others.
    void say_large() {
        for (int number = 0; number < 5; ++number) {
            say(link(number, {"web:a", fmt::format("mail:m{}", number)}));
        }
    }

    /// A turn that ends before one of its writes is answered, after so many.
    void kill_after(int writes) {
        store_.set_options({.lost_but_written = 0, .hold_writes = true});
        SettlingLater later{*identities_};
        auto turn = std::async(std::launch::async, [&] { return later.go_on({}); });
        for (int left = writes; turn.wait_for(0s) != std::future_status::ready;) {
            if (store_.held_writes() == 0) {
                std::this_thread::yield();
            } else if (left-- > 0) {
                store_.release_writes(1);
            } else {
                store_.lose_writes();
            }
        }
        static_cast<void>(turn.get());
        store_.set_options({});
    }

    bool shared_ = false;
    std::size_t later_facts_max_ = 100;
    ManualClock clock_{at_second(1'790'000'000)};
    storage::MemoryStore disk_{all_tables, clock_};
    storage::FaultyStore store_{disk_, 1};
    std::unique_ptr<Identities> identities_;
    std::vector<Fact> facts_;
};

TEST_F(SettlingLaterTest, what_is_too_much_for_a_lane_is_noted_and_then_settled) {
    open();
    SettlingLater later{*identities_};
    EXPECT_FALSE(later.go_on({}).value());
    say_large();
    EXPECT_EQ(identities_->unsaved(later_lane), std::nullopt);
    EXPECT_FALSE(notes_in(disk_).empty());
    EXPECT_TRUE(identities_->settling().noted().has_one(ids_named({"web:a"})));
    say(link(9, {"app:x", "app:y"}));
    EXPECT_FALSE(identities_->settling().noted().has_one(ids_named({"app:x"})));
    EXPECT_EQ(rows_there(disk_).profiles.size(), 2) << "of what came first, and of the others";
    ASSERT_NO_FATAL_FAILURE(settle_all(later));
    expect_rows_follow(disk_, facts_);
    EXPECT_TRUE(notes_in(disk_).empty());
    EXPECT_EQ(later.waiting(), 0);
    EXPECT_EQ(identities_->settling().noted().size(), 0);
}

TEST_F(SettlingLaterTest, what_is_noted_is_no_difference) {
    open();
    say_large();
    const auto differences = [&](std::size_t noted) {
        RowCheck check{disk_, {.secret = rows_secret}};
        EXPECT_TRUE(check.run([] { return Result<void>{}; }));
        EXPECT_EQ(check.noted(), noted);
        return check.differences();
    };
    EXPECT_EQ(differences(3).size(), 0);
    EXPECT_EQ(identities_->half_settled().value().size(), 4);
    storage::Batch batch;
    for (const Later& each : notes_in(disk_)) {
        erase_later(each.token, batch);
    }
    ASSERT_TRUE(storage::write_durably(disk_, batch));
    EXPECT_GT(differences(0).size(), 0) << "nobody will settle it";
    open();
    SettlingLater later{*identities_};
    say(link(9, {"web:a", "mail:m4"}));
    settle_all(later);
    EXPECT_EQ(differences(0).size(), 0);
}

TEST_F(SettlingLaterTest, what_is_known_to_be_too_much_is_noted_without_being_looked_at) {
    open();
    SettlingLater later{*identities_};
    say_large();
    settle_all(later);
    const std::uint64_t looked_at = identities_->settling().links_looked_at();
    say(link(20, {"mail:new", "web:a"}));
    say(link(21, {"mail:other", "mail:m3"}));
    EXPECT_EQ(identities_->settling().links_looked_at(), looked_at);
    EXPECT_TRUE(identities_->settling().noted().has_one(ids_named({"mail:new"})));
    settle_all(later);
    expect_rows_follow(disk_, facts_);
    EXPECT_TRUE(identities_->settling().is_crowd(ids_named({"mail:other"})));
}

TEST_F(SettlingLaterTest, whoever_is_killed_leaves_what_the_next_one_goes_on_with) {
    for (int writes = 0; writes < 6; ++writes) {
        SCOPED_TRACE(writes);
        open();
        const int first = 10 * writes;
        for (int number = first; number < first + 5; ++number) {
            say(link(number, {"web:a", fmt::format("mail:m{}", number)}));
        }
        kill_after(writes);
        open();
        SettlingLater next{*identities_};
        ASSERT_NO_FATAL_FAILURE(settle_all(next));
        ASSERT_NO_FATAL_FAILURE(expect_rows_follow(disk_, facts_));
        EXPECT_TRUE(notes_in(disk_).empty());
    }
}

TEST_F(SettlingLaterTest, what_is_said_while_the_same_is_settled_stays_noted) {
    for (int answers = 0;; ++answers) {
        SCOPED_TRACE(answers);
        ASSERT_LT(answers, 1000);
        storage::MemoryStore disk{all_tables, clock_};
        storage::FaultyStore slow{disk, 1};
        Identities one{slow, clock_, options(1)};
        Identities other{disk, clock_, options(2)};
        std::vector<Fact> facts;
        const auto say_to = [&](Identities& told, const Fact& fact) {
            tell(told, later_lane, facts.size(), fact);
            facts.push_back(fact);
            ASSERT_TRUE(told.flush(true));
        };
        for (int number = 0; number < 5; ++number) {
            say_to(other, link(number, {"web:a", fmt::format("mail:m{}", number)}));
        }
        SettlingLater later{one};
        const bool in_between = meet_after(
            slow,
            answers,
            [&]() -> Result<void> {
                const Result<bool> more = later.go_on({});
                return more ? Result<void>{} : std::unexpected(more.error());
            },
            [&] { say_to(other, link(9, {"web:a", "app:z"})); }
        );
        settle_all(later);
        ASSERT_NO_FATAL_FAILURE(expect_rows_follow(disk, facts));
        EXPECT_TRUE(notes_in(disk).empty());
        if (!in_between) {
            return;
        }
    }
}

TEST_F(SettlingLaterTest, notes_of_others_are_taken_once_they_seem_to_be_away) {
    shared_ = true;
    open();
    say_large();
    Identities other{disk_, clock_, options(2)};
    SettlingLater later{other};
    EXPECT_FALSE(later.go_on({}).value());
    EXPECT_TRUE(other.settling().noted().has_one(ids_named({"web:a"})));
    EXPECT_GT(later.waiting(), 0);
    clock_.advance(10s);
    ASSERT_NO_FATAL_FAILURE(settle_all(later));
    expect_rows_follow(disk_, facts_);
    EXPECT_EQ(later.waiting(), 0);
}

TEST_F(SettlingLaterTest, what_is_too_much_even_there_is_tried_with_growing_pauses) {
    later_facts_max_ = 4;
    open();
    SettlingLater later{*identities_};
    say_large();
    ASSERT_NO_FATAL_FAILURE(settle_all(later));
    EXPECT_EQ(later.waiting(), 0);
    EXPECT_GT(later.too_large(), 0);
    EXPECT_TRUE(identities_->settling().noted().has_one(ids_named({"web:a"})));
    const std::uint64_t looked_at = identities_->settling().links_looked_at();
    say(link(20, {"web:a", "mail:m3"}));
    ASSERT_NO_FATAL_FAILURE(settle_all(later));
    EXPECT_EQ(identities_->settling().links_looked_at(), looked_at);
    for (const auto pause : {1min, 2min, 4min}) {
        clock_.advance(pause - 1s);
        EXPECT_FALSE(later.go_on({}).value());
        clock_.advance(1s);
        EXPECT_TRUE(later.go_on({}).value());
        EXPECT_FALSE(later.go_on({}).value());
    }
    later_facts_max_ = 100;
    open();
    SettlingLater next{*identities_};
    clock_.advance(1h);
    ASSERT_NO_FATAL_FAILURE(settle_all(next));
    expect_rows_follow(disk_, facts_);
    EXPECT_EQ(next.too_large(), 0);
    EXPECT_TRUE(notes_in(disk_).empty());
}

TEST_F(SettlingLaterTest, guards_that_change_have_what_was_too_much_tried_at_once) {
    later_facts_max_ = 4;
    open();
    SettlingLater later{*identities_};
    say_large();
    ASSERT_NO_FATAL_FAILURE(settle_all(later));
    ASSERT_GT(later.too_large(), 0);
    const Guards guards{.shared_above = 2};
    ASSERT_NO_FATAL_FAILURE(write_guards(disk_, guards));
    ASSERT_TRUE(identities_->refresh_guards());
    EXPECT_TRUE(later.go_on({}).value());
    EXPECT_FALSE(later.go_on({}).value());
}

/// Two logs are told a history; now and then somebody settles what was noted, and is killed.
void play_later(std::uint64_t seed, bool shared, bool has_kills) {
    History history{seed};
    Random random{seed};
    ManualClock clock{at_second(1'790'000'000)};
    storage::MemoryStore disk{all_tables, clock};
    storage::FaultyStore store{disk, seed};
    const auto options = [&](journal::LogId log) {
        return Identities::Options{
            .secret = rows_secret,
            .log = log,
            .shared = shared,
            .guards = history.guards(),
            .replay = 1 + random.below(4),
            .later_facts_max = 1000
        };
    };
    Identities one{store, clock, options(1)};
    Identities other{disk, clock, options(2)};
    SettlingLater later{one};
    for (std::uint64_t step = 0; step < 20; ++step) {
        Identities& told = random.below(2) == 0 ? one : other;
        const Fact said = history.step();
        tell(told, told.lane_of(said.ids), step, said);
        ASSERT_TRUE(told.flush(true));
        if (random.below(3) > 0) {
            continue;
        }
        store.set_options({.fail_write = has_kills ? 0.3 : 0});
        auto turn = std::async(std::launch::async, [&] { return later.go_on({}); });
        while (turn.wait_for(0s) != std::future_status::ready) {
            store.release_writes();
            std::this_thread::yield();
        }
        ASSERT_TRUE(turn.get() || has_kills);
        store.set_options({});
        clock.advance(3s);
    }
    ASSERT_NO_FATAL_FAILURE(settle_all(later));
    clock.advance(10s);
    ASSERT_NO_FATAL_FAILURE(settle_all(later));
    ASSERT_NO_FATAL_FAILURE(expect_rows_follow(disk, history.facts(), history.guards()));
    EXPECT_TRUE(notes_in(disk).empty());
    EXPECT_EQ(later.waiting(), 0);
}

TEST(SettlingLaterHistories, rows_are_in_the_end_what_follows_from_all_facts) {
    const std::uint64_t seed = test_seed();
    const std::uint64_t all = rounds(500);
    for (std::uint64_t round = 0; round < all; ++round) {
        SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed + round));
        ASSERT_NO_FATAL_FAILURE(play_later(seed + round, round % 2 == 0, round % 4 < 2));
    }
}

/// Lanes are told, each by a thread, while another one settles what was noted: all in one process,
/// or in two.
void settle_beside(std::uint64_t seed, bool shared) {
    History history{seed};
    std::vector<Fact> before;
    for (int step = 0; step < 10; ++step) {
        before.push_back(history.step());
    }
    std::vector<Fact> beside;
    for (int step = 0; step < 10; ++step) {
        beside.push_back(history.step());
    }
    ManualClock clock{at_second(1'790'000'000)};
    storage::MemoryStore disk{all_tables, clock};
    const auto options = [&](journal::LogId log) {
        return Identities::Options{
            .secret = rows_secret,
            .log = log,
            .shared = shared,
            .guards = history.guards(),
            .replay = 2 + seed % 4,
            .later_facts_max = 1000
        };
    };
    Identities one{disk, clock, options(1)};
    Identities two{disk, clock, options(2)};
    Identities& other = shared ? two : one;
    SettlingLater later{one};
    SettlingLater also{other};
    const auto say_all = [](Identities& told, const std::vector<Fact>& facts, std::size_t from) {
        for (std::size_t at = from; at < facts.size(); at += 2) {
            tell(told, static_cast<std::uint32_t>(from), at, facts[at]);
            ASSERT_TRUE(told.flush(true));
        }
    };
    say_all(one, before, 0);
    say_all(one, before, 1);
    {
        const std::jthread telling{[&] { say_all(one, beside, 0); }};
        const std::jthread telling_too{[&] { say_all(other, beside, 1); }};
        const std::jthread settling{[&] {
            for (int turn = 0; turn < 10; ++turn) {
                EXPECT_TRUE(later.go_on({}));
            }
        }};
        const std::jthread settling_too{[&] {
            for (int turn = 0; turn < 10 && shared; ++turn) {
                EXPECT_TRUE(also.go_on({}));
            }
        }};
    }
    clock.advance(10s);
    settle_all(later);
    clock.advance(10s);
    settle_all(later);
    expect_rows_follow(disk, history.facts(), history.guards());
    EXPECT_TRUE(notes_in(disk).empty());
}

TEST(SettlingLaterHistories, lanes_go_on_while_somebody_settles_what_was_noted) {
    const std::uint64_t seed = test_seed();
    const std::uint64_t all = rounds(200);
    for (std::uint64_t round = 0; round < all; ++round) {
        SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed + round));
        settle_beside(seed + round, round % 2 == 0);
        if (testing::Test::HasFailure()) {
            return;
        }
    }
}

}  // namespace
}  // namespace footfall::identities
