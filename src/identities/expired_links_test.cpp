// What nobody says again ends with its time, whoever looks and whoever is killed.
#include "identities/expired_links.h"

#include "events/control.h"
#include "foundation/random.h"
#include "foundation/testing/test_seed.h"
#include "foundation_testing/rounds.h"
#include "identities/guards_text.h"
#include "identities/row_check.h"
#include "identities/schema.h"
#include "identities/settling_anew.h"
#include "identities/test_history.h"
#include "identities/test_rows.h"
#include "identities/test_telling.h"
#include "storage/memory_store.h"
#include "storage/testing/faulty_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace footfall::identities {
namespace {

using namespace std::chrono_literals;

Guards cookies_live_for(std::chrono::seconds ttl) {
    return {.identifiers = {{"web", {.ttl = ttl}}}};
}

std::size_t count_rows(storage::Store& store, const storage::Table& table) {
    std::size_t count = 0;
    for_each_row(store, table, [&](const storage::Rows&, std::size_t) { ++count; });
    return count;
}

class ExpiredLinksTest : public testing::Test {
protected:
    std::unique_ptr<Identities> open(storage::Store& store, journal::LogId log = 1) {
        return std::make_unique<Identities>(
            store, clock_, Identities::Options{.secret = rows_secret, .log = log, .guards = guards_}
        );
    }

    void say(const Fact& fact) {
        tell(*identities_, 7, next_++, fact);
        ASSERT_TRUE(identities_->flush(true));
        const auto known = std::ranges::find(said_, fact.id, &Fact::id);
        if (known == said_.end()) {
            said_.push_back(fact);
        } else {
            merge(*known, fact);
        }
    }

    /// So much later somebody looks.
    void pass(std::chrono::seconds time) {
        clock_.advance(time);
        ASSERT_TRUE(ended_->go_on({}));
    }

    void expect_what_follows() { expect_rows_follow(store_, said_, guards_, clock_.now()); }

    std::size_t profiles() { return rows_there(store_).profiles.size(); }

    static std::int64_t second() { return 1'790'000'000; }

    std::vector<std::string> differences() {
        RowCheck check{store_, {.secret = rows_secret, .clock = &clock_}};
        EXPECT_TRUE(check.run([] { return Result<void>{}; }));
        return check.differences();
    }

    /// Has the guards recorded, as those that check rows read them.
    void record(std::uint32_t version) {
        identities_->control(
            7,
            next_++,
            events::IdentityGuards{
                .version = version, .guards = text_of(guards_), .said = clock_.now()
            }
        );
        ASSERT_TRUE(identities_->flush(true));
        SettlingAnew anew{*identities_, 1};
        while (anew.go_on({}).value() > 0) {
        }
    }

    ManualClock clock_{at_second(second())};
    storage::MemoryStore store_{all_tables, clock_};
    Guards guards_ = cookies_live_for(1h);
    std::unique_ptr<Identities> identities_ = open(store_);
    std::unique_ptr<ExpiredLinks> ended_ = std::make_unique<ExpiredLinks>(*identities_);
    std::uint64_t next_ = 0;
    std::vector<Fact> said_;
};

TEST_F(ExpiredLinksTest, a_link_unites_until_its_time_is_over) {
    say(link(second(), {"web:a", "mail:b"}));
    std::set<std::string> sids;
    expect_sids_lead_on(store_, sids);
    pass(59min);
    EXPECT_EQ(profiles(), 1);
    pass(1min + 10s);
    EXPECT_EQ(profiles(), 2);
    expect_what_follows();
    expect_sids_lead_on(store_, sids);
    EXPECT_EQ(ended_->ended(), 1);
    pass(10s);
    EXPECT_EQ(ended_->ended(), 1) << "once is enough";
    pass(2h);
    EXPECT_EQ(count_rows(store_, identity_expiry_table), 0);
    EXPECT_EQ(count_rows(store_, identity_expiry_bucket_table), 0);
    expect_what_follows();
    say(link(second() + 8000, {"web:a", "mail:b"}));
    EXPECT_EQ(profiles(), 1) << "said again it holds again";
    expect_sids_lead_on(store_, sids);
}

TEST_F(ExpiredLinksTest, a_link_that_is_said_again_in_time_stays) {
    say(link(second(), {"web:a", "mail:b"}));
    clock_.advance(50min);
    say(link(second() + 3000, {"web:a", "mail:b"}));
    for (int quarter = 0; quarter < 3; ++quarter) {
        pass(15min);
        EXPECT_EQ(profiles(), 1) << quarter;
    }
    pass(15min + 10s);
    EXPECT_EQ(profiles(), 2) << "by the row that was written when it was said again";
    expect_what_follows();
}

TEST_F(ExpiredLinksTest, what_is_over_when_it_comes_never_unites) {
    say(link(second() - 3600, {"web:a", "mail:b"}));
    EXPECT_EQ(profiles(), 2);
    expect_what_follows();
    say(link(second() - 7200, {"web:c", "mail:d"}));
    EXPECT_EQ(profiles(), 4);
    EXPECT_EQ(count_rows(store_, identity_expiry_table), 1) << "clocks that differ by less";
    say(link(second() - 4000, {"mail:b", "mail:d"}));
    EXPECT_EQ(profiles(), 3) << "a network without a ttl";
    expect_what_follows();
}

TEST_F(ExpiredLinksTest, nothing_is_written_of_networks_without_a_ttl) {
    say(link(second(), {"app:a", "mail:b"}));
    say(decision(FactKind::reject, second(), said_.front()));
    EXPECT_EQ(count_rows(store_, identity_expiry_table), 0);
    EXPECT_EQ(count_rows(store_, identity_expiry_bucket_table), 0);
}

TEST_F(ExpiredLinksTest, the_past_is_as_it_was_then) {
    say(link(second(), {"web:a", "mail:b"}));
    pass(3h);
    const auto sid_at = [&](const char* id, std::chrono::seconds later) {
        const auto entry =
            identities_->settling().entry_at(id_of(id), at_second(second()) + later).value();
        return entry ? entry->sid : std::string{};
    };
    EXPECT_EQ(sid_at("web:a", 59min), sid_at("mail:b", 59min));
    EXPECT_NE(sid_at("web:a", 1h), sid_at("mail:b", 1h));
    EXPECT_NE(sid_at("web:a", 2h), "");
}

TEST_F(ExpiredLinksTest, partings_and_decisions_do_not_end) {
    say(link(second(), {"web:a", "mail:b"}));
    say(parting(second(), {"web:a"}, {"mail:b"}));
    pass(3h);
    say(link(second() + 10'800, {"web:a", "mail:b"}));
    EXPECT_EQ(profiles(), 2);
    expect_what_follows();
}

TEST_F(ExpiredLinksTest, guards_that_give_a_network_a_ttl_end_what_was_said_before) {
    guards_ = {};
    record(1);
    say(link(second(), {"web:a", "mail:b"}));
    say(link(second() - 7200, {"web:c", "mail:d"}));
    EXPECT_EQ(profiles(), 2);
    EXPECT_EQ(count_rows(store_, identity_expiry_table), 0);
    guards_ = cookies_live_for(1h);
    record(2);
    EXPECT_EQ(profiles(), 3) << "what is over is over at once";
    expect_what_follows();
    pass(1h + 10s);
    EXPECT_EQ(profiles(), 4);
    expect_what_follows();
    guards_ = {};
    record(3);
    EXPECT_EQ(profiles(), 2) << "all was kept";
    pass(3h);
    EXPECT_EQ(count_rows(store_, identity_expiry_table), 0);
    EXPECT_EQ(profiles(), 2);
}

/// Whoever wrote a fact knew of no ttl yet, and its id was in no part that was settled anew.
TEST_F(ExpiredLinksTest, whoever_learns_of_a_ttl_after_he_wrote_writes_when_it_ends) {
    guards_ = {};
    const std::unique_ptr<Identities> old = open(store_, 2);
    guards_ = cookies_live_for(1h);
    record(1);
    const Fact fact = link(second(), {"web:a", "mail:b"});
    tell(*old, 9, 0, fact);
    ASSERT_TRUE(old->flush(true));
    said_.push_back(fact);
    pass(1h + 10s);
    EXPECT_EQ(profiles(), 2);
    expect_what_follows();
}

TEST_F(ExpiredLinksTest, who_checks_rows_does_not_tell_what_is_still_to_be_settled) {
    record(1);
    say(link(second(), {"web:a", "mail:b"}));
    EXPECT_THAT(differences(), testing::IsEmpty());
    clock_.advance(26h);
    EXPECT_EQ(profiles(), 1) << "everybody was away";
    EXPECT_THAT(differences(), testing::IsEmpty());
    ASSERT_TRUE(ended_->go_on({}));
    EXPECT_EQ(profiles(), 2);
    EXPECT_THAT(differences(), testing::IsEmpty());
    say(link(second() + 93'600, {"web:a", "mail:b"}));
    storage::Batch lost;
    for_each_row(store_, identity_expiry_table, [&](const storage::Rows& rows, std::size_t row) {
        lost.erase(
            identity_expiry_table,
            {rows.at(row, 0), rows.at(row, 1), rows.at(row, 2), rows.at(row, 3)}
        );
    });
    ASSERT_TRUE(storage::write_durably(store_, lost));
    clock_.advance(1h);
    EXPECT_THAT(differences(), testing::Not(testing::IsEmpty())) << "nobody would settle it";
}

/// Rows of a history that two logs tell while time passes, held to its facts at each step; who
/// looks is now the one and now the other.
void play_in_time(std::uint64_t seed) {
    History history{seed, /*has_data=*/false, 10min};
    Random random{seed};
    ManualClock clock{at_second(0)};
    storage::MemoryStore store{all_tables, clock};
    const auto options = [&](journal::LogId log) {
        return Identities::Options{.secret = rows_secret, .log = log, .guards = history.guards()};
    };
    Identities one{store, clock, options(1)};
    Identities other{store, clock, options(2)};
    ExpiredLinks by_one{one};
    ExpiredLinks by_other{other};
    std::set<std::string> sids;
    for (std::uint64_t step = 0; step < 14; ++step) {
        clock.advance(5min * static_cast<std::int64_t>(random.below(4)));
        ASSERT_TRUE((random.below(2) == 0 ? by_one : by_other).go_on({}));
        ASSERT_NO_FATAL_FAILURE(
            expect_rows_follow(store, history.facts(), history.guards(), clock.now())
        );
        Identities& told = random.below(2) == 0 ? one : other;
        const Fact said = history.step();
        tell(told, told.lane_of(said.ids), step, said);
        ASSERT_TRUE(told.flush(true));
        ASSERT_NO_FATAL_FAILURE(
            expect_rows_follow(store, history.facts(), history.guards(), clock.now())
        );
        ASSERT_NO_FATAL_FAILURE(expect_sids_lead_on(store, sids));
    }
    clock.advance(4h);
    ASSERT_TRUE(by_one.go_on({}));
    ASSERT_NO_FATAL_FAILURE(
        expect_rows_follow(store, history.facts(), history.guards(), clock.now())
    );
    ASSERT_EQ(count_rows(store, identity_expiry_table), 0);
}

TEST(ExpiredLinksHistories, rows_are_at_each_step_what_follows_at_that_time) {
    const std::uint64_t seed = test_seed();
    const std::uint64_t all = rounds(500);
    for (std::uint64_t round = 0; round < all; ++round) {
        SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed + round));
        ASSERT_NO_FATAL_FAILURE(play_in_time(seed + round));
    }
}

/// One clock is behind the other one: while something ends for the one and not for the other they
/// write over each other, and in the end both have the same.
void play_by_two_clocks(std::uint64_t seed) {
    History history{seed, /*has_data=*/false, 10min};
    Random random{seed};
    ManualClock clock{at_second(0)};
    ManualClock behind{at_second(-3)};
    storage::MemoryStore store{all_tables, clock};
    const auto options = [&](journal::LogId log) {
        return Identities::Options{.secret = rows_secret, .log = log, .guards = history.guards()};
    };
    Identities one{store, clock, options(1)};
    Identities other{store, behind, options(2)};
    ExpiredLinks by_one{one};
    ExpiredLinks by_other{other};
    const auto pass = [&](std::chrono::seconds time) {
        clock.advance(time);
        behind.advance(time);
        ASSERT_TRUE(by_one.go_on({}));
    };
    for (std::uint64_t step = 0; step < 14; ++step) {
        ASSERT_NO_FATAL_FAILURE(pass(5min * static_cast<std::int64_t>(random.below(4))));
        Identities& told = random.below(4) == 0 ? one : other;
        const Fact said = history.step();
        tell(told, told.lane_of(said.ids), step, said);
        ASSERT_TRUE(told.flush(true));
        if (random.below(4) == 0) {
            ASSERT_TRUE(by_other.go_on({}));
        }
    }
    ASSERT_NO_FATAL_FAILURE(pass(4h));
    for (const Instant now : {clock.now(), behind.now()}) {
        ASSERT_NO_FATAL_FAILURE(expect_rows_follow(store, history.facts(), history.guards(), now));
    }
}

TEST(ExpiredLinksHistories, by_two_clocks_that_differ_end_as_one) {
    const std::uint64_t seed = test_seed();
    const std::uint64_t all = rounds(500);
    for (std::uint64_t round = 0; round < all; ++round) {
        SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed + round));
        ASSERT_NO_FATAL_FAILURE(play_by_two_clocks(seed + round));
    }
}

/// Calls this on a thread of its own until it is killed: of each write some partitions come into
/// the rows.
template <class Work>
void do_half(storage::FaultyStore& store, const Work& work) {
    store.set_options({.fail_write = 0.5});
    auto done = std::async(std::launch::async, work);
    while (done.wait_for(0s) != std::future_status::ready) {
        store.release_writes();
        std::this_thread::yield();
    }
    store.set_options({});
}

/// Whoever is told something, and whoever looks, is killed in the middle of it, at each step.
void play_killed(std::uint64_t seed) {
    History history{seed, /*has_data=*/false, 10min};
    Random random{seed};
    ManualClock clock{at_second(0)};
    storage::MemoryStore disk{all_tables, clock};
    const Identities::Options options{.secret = rows_secret, .log = 1, .guards = history.guards()};
    for (std::uint64_t step = 0; step < 14; ++step) {
        clock.advance(10min * static_cast<std::int64_t>(random.below(12)));
        storage::FaultyStore store{disk, random()};
        Identities killed{store, clock, options};
        ExpiredLinks ended{killed};
        const Fact said = history.step();
        const std::uint32_t lane = killed.lane_of(said.ids);
        do_half(store, [&] { return ended.go_on({}); });
        do_half(store, [&] {
            tell(killed, lane, step, said);
            return killed.flush(true);
        });
        Identities next{disk, clock, options};
        tell(next, lane, step, said);
        ASSERT_TRUE(next.flush(true));
        ASSERT_TRUE(ExpiredLinks{next}.go_on({}));
        ASSERT_NO_FATAL_FAILURE(
            expect_rows_follow(disk, history.facts(), history.guards(), clock.now())
        );
    }
}

TEST(ExpiredLinksHistories, what_is_done_in_part_is_made_whole_by_who_comes_next) {
    const std::uint64_t seed = test_seed();
    const std::uint64_t all = rounds(100);
    for (std::uint64_t round = 0; round < all; ++round) {
        SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed + round));
        ASSERT_NO_FATAL_FAILURE(play_killed(seed + round));
    }
}

}  // namespace
}  // namespace footfall::identities
