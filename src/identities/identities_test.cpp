#include "identities/identities.h"

#include "identities/test_facts.h"
#include "identities/test_rows.h"
#include "identities/test_telling.h"
#include "identities/unfinished_rows.h"
#include "projecting/writer.h"
#include "storage/memory_store.h"
#include "storage/testing/faulty_store.h"

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

class IdentitiesTest : public testing::Test {
protected:
    std::unique_ptr<Identities> open(journal::LogId log = 1) {
        return std::make_unique<Identities>(
            store_, clock_, Identities::Options{.secret = rows_secret, .log = log}
        );
    }

    /// All of the log of a lane, from some record on.
    static void tell_log(
        Identities& identities, const std::vector<Fact>& log, std::uint64_t from = 0
    ) {
        for (std::uint64_t offset = from; offset < log.size(); ++offset) {
            tell(identities, lane, offset, log[offset]);
        }
    }

    /// A flush on another thread, while this one says what becomes of its writes.
    std::future<Result<void>> begin_flush() {
        store_.set_options({.lost_but_written = 0, .hold_writes = true});
        return std::async(std::launch::async, [this] { return identities_->flush(true); });
    }

    /// Until the flush has a write that waits for us; a failure where it ends without.
    void wait_for_write(const std::future<Result<void>>& flush) {
        while (store_.held_writes() == 0) {
            if (flush.wait_for(0s) == std::future_status::ready) {
                ADD_FAILURE() << "the flush is over and wrote nothing more";
                return;
            }
            std::this_thread::yield();
        }
    }

    bool has_fact(const Fact& fact) {
        const auto found = find_fact(disk_, fact.id);
        return found && *found;
    }

    static constexpr std::uint32_t lane = 5;

    const std::vector<Fact> log_{
        link(1, {"web:a", "mail:b"}),
        link(2, {"mail:c", "app:d"}),
        link(3, {"app:d", "web:a"}),
        parting(4, {"mail:c"}, {"mail:b"}),
        decision(FactKind::reject, 5, link(2, {"mail:c", "app:d"}))
    };
    ManualClock clock_{at_second(1'790'000'000)};
    storage::MemoryStore disk_{all_tables, clock_};
    storage::FaultyStore store_{disk_, 1};
    std::unique_ptr<Identities> identities_ = open();
};

/// By another process: this one writes rows under those that held when it began.
TEST_F(IdentitiesTest, guards_that_are_recorded_while_profiles_are_written_hold_for_them) {
    const std::vector<Fact> facts{link(1, {"web:a", "mail:m"}), link(2, {"web:b", "mail:m"})};
    tell_log(*identities_, facts);
    std::future<Result<void>> flush = begin_flush();
    wait_for_write(flush);
    store_.release_writes(1);
    wait_for_write(flush);
    Guards guards;
    guards.identifiers["web"].per_profile = 1;
    ASSERT_NO_FATAL_FAILURE(write_guards(disk_, guards));
    store_.set_options({.lost_but_written = 0});
    store_.release_writes();
    ASSERT_TRUE(flush.get());
    expect_rows_follow(disk_, facts, guards);
    EXPECT_EQ(rows_there(disk_).profiles.size(), 2U);
}

TEST_F(IdentitiesTest, rows_follow_the_log_record_by_record) {
    std::vector<Fact> facts;
    std::set<std::string> sids;
    for (std::uint64_t offset = 0; offset < log_.size(); ++offset) {
        tell(*identities_, lane, offset, log_[offset]);
        facts.push_back(log_[offset]);
        ASSERT_TRUE(identities_->flush(true));
        ASSERT_NO_FATAL_FAILURE(expect_rows_follow(disk_, facts));
        ASSERT_NO_FATAL_FAILURE(expect_sids_lead_on(disk_, sids));
    }
    EXPECT_EQ(identities_->facts_written(), log_.size());
    EXPECT_EQ(sids.size(), 3) << "two profiles, and one that was parted from the first";
}

TEST_F(IdentitiesTest, of_two_profiles_that_become_one_the_later_has_no_rows_left) {
    tell(*identities_, lane, 0, log_[0]);
    tell(*identities_, lane, 1, log_[1]);
    ASSERT_TRUE(identities_->flush(true));
    EXPECT_EQ(rows_there(disk_).profiles.size(), 2);
    tell(*identities_, lane, 2, log_[2]);
    ASSERT_TRUE(identities_->flush(true));
    const RowsOfProfiles there = rows_there(disk_);
    ASSERT_EQ(there.profiles.size(), 1);
    EXPECT_EQ(there.profiles.begin()->first, sid_of(rows_secret, id_of("mail:b")));
    EXPECT_EQ(there.profiles.begin()->second.size(), 4);
    EXPECT_EQ(
        *read_anchor(disk_, sid_of(rows_secret, id_of("app:d"))), std::optional{id_of("app:d")}
    );
}

TEST_F(IdentitiesTest, other_events_and_controls_are_passed_over) {
    events::JudgedEvent view = event_that_says(log_[0]);
    view.event.action = "view";
    view.event.identifiers.clear();
    const projecting::JudgedRecord record{.offset = 0, .judged = &view, .person = 7};
    identities_->apply(lane, {&record, 1});
    identities_->control(lane, 1, events::RulesInForce{});
    identities_->control(lane, 2, events::IdentityDecided{.ids = {}});
    EXPECT_EQ(identities_->waiting(), 0);
    EXPECT_EQ(identities_->unsaved(lane), std::nullopt);
    ASSERT_TRUE(identities_->flush(true));
    EXPECT_EQ(identities_->facts_written(), 0);
}

TEST_F(IdentitiesTest, what_is_said_twice_is_written_as_one_fact) {
    tell(*identities_, lane, 0, link(7, {"web:a", "mail:b"}));
    tell(*identities_, lane, 1, link(3, {"mail:b", "web:a"}));
    ASSERT_TRUE(identities_->flush(true));
    EXPECT_EQ(identities_->facts_written(), 1);
    tell(*identities_, lane, 2, link(9, {"web:a", "mail:b"}));
    ASSERT_TRUE(identities_->flush(true));
    const auto found = find_fact(disk_, log_[0].id);
    ASSERT_TRUE(found);
    const Fact fact = found->value_or(Fact{});
    EXPECT_EQ(fact.id, log_[0].id);
    EXPECT_EQ(fact.first, at_second(3));
    EXPECT_EQ(fact.last, at_second(9));
    expect_rows_follow(disk_, {fact});
}

TEST_F(IdentitiesTest, facts_wait_for_their_interval) {
    tell(*identities_, lane, 0, log_[0]);
    ASSERT_TRUE(identities_->flush(false));
    EXPECT_EQ(identities_->unsaved(lane), 0);
    clock_.advance(1s);
    ASSERT_TRUE(identities_->flush(false));
    EXPECT_EQ(identities_->unsaved(lane), std::nullopt);
    EXPECT_EQ(identities_->bytes(), identities_->accounts()[0].audit(lane).counted);
}

TEST_F(IdentitiesTest, a_lane_that_was_dropped_comes_again_as_the_same_rows) {
    tell_log(*identities_, log_);
    identities_->drop_lane(lane);
    EXPECT_EQ(identities_->unsaved(lane), std::nullopt);
    ASSERT_TRUE(identities_->flush(true));
    EXPECT_EQ(rows_there(disk_), RowsOfProfiles{});
    tell_log(*identities_, log_);
    ASSERT_TRUE(identities_->flush(true));
    const RowsOfProfiles once = rows_there(disk_);
    expect_rows_follow(disk_, log_);
    tell_log(*identities_, log_, 1);
    ASSERT_TRUE(identities_->flush(true));
    EXPECT_EQ(rows_there(disk_), once);
}

TEST_F(IdentitiesTest, the_log_is_not_past_a_fact_before_its_rows_and_its_profile_are_durable) {
    tell_log(*identities_, {log_[0]});
    std::future<Result<void>> flush = begin_flush();
    wait_for_write(flush);
    EXPECT_EQ(identities_->unsaved(lane), 0);
    EXPECT_FALSE(has_fact(log_[0]));
    store_.release_writes(1);
    wait_for_write(flush);
    EXPECT_TRUE(has_fact(log_[0])) << "facts first";
    EXPECT_EQ(identities_->unsaved(lane), 0);
    store_.release_writes(1);
    wait_for_write(flush);
    EXPECT_EQ(rows_there(disk_), RowsOfProfiles{}) << "a note of what moves, then what follows";
    EXPECT_EQ(identities_->unsaved(lane), 0);
    tell(*identities_, lane, 1, log_[1]);
    EXPECT_EQ(identities_->unsaved(lane), 0);
    store_.release_writes(1);
    ASSERT_TRUE(flush.get());
    expect_rows_follow(disk_, {log_[0]});
    EXPECT_EQ(identities_->unsaved(lane), 1);
}

TEST_F(IdentitiesTest, profiles_that_were_lost_behind_their_facts_come_when_the_log_is_told_again) {
    for (const bool by_another_process : {false, true}) {
        tell_log(*identities_, log_);
        std::future<Result<void>> flush = begin_flush();
        wait_for_write(flush);
        store_.release_writes(1);
        wait_for_write(flush);
        store_.lose_writes();
        EXPECT_EQ(flush.get().error().kind, ErrorKind::outcome_unknown);
        EXPECT_EQ(identities_->unsaved(lane), 0);
        store_.set_options({});
        for (const Fact& fact : log_) {
            EXPECT_TRUE(has_fact(fact));
        }
        EXPECT_FALSE(rows_there(disk_) == rows_that_follow(log_, {}));
        if (by_another_process) {
            identities_ = open();
        } else {
            identities_->drop();
        }
        tell_log(*identities_, log_);
        ASSERT_TRUE(identities_->flush(true));
        ASSERT_NO_FATAL_FAILURE(expect_rows_follow(disk_, log_));
        EXPECT_EQ(identities_->unsaved(lane), std::nullopt);
        storage::Batch erased;
        for (const auto& [sid, members] : rows_there(disk_).profiles) {
            replace_profile(sid, members, {}, erased);
        }
        ASSERT_TRUE(storage::write_durably(disk_, erased));
    }
}

/// The host's part: what is not stored comes again after a loss.
TEST_F(IdentitiesTest, whatever_writes_are_lost_the_rows_are_the_same_in_the_end) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        SCOPED_TRACE(seed);
        storage::MemoryStore disk{all_tables, clock_};
        storage::FaultyStore store{disk, seed, {.fail_write = 0.4}};
        Identities identities{store, clock_, {.secret = rows_secret, .log = 1}};
        tell_log(identities, log_);
        int losses = 0;
        while (const auto unsaved = identities.unsaved(lane)) {
            std::future<Result<void>> flush =
                std::async(std::launch::async, [&] { return identities.flush(true); });
            while (flush.wait_for(0s) != std::future_status::ready) {
                store.release_writes();
                std::this_thread::yield();
            }
            if (!flush.get()) {
                ASSERT_LT(++losses, 1000);
                identities.drop_lane(lane);
                tell_log(identities, log_, *unsaved);
            }
        }
        ASSERT_NO_FATAL_FAILURE(expect_rows_follow(disk, log_));
    }
}

TEST_F(IdentitiesTest, two_logs_that_are_told_the_same_have_a_row_each_and_one_profile) {
    const std::unique_ptr<Identities> other = open(2);
    tell(*identities_, lane, 0, link(5, {"web:a", "mail:b"}));
    tell(*other, lane, 0, link(2, {"web:a", "mail:b"}));
    ASSERT_TRUE(identities_->flush(true));
    ASSERT_TRUE(other->flush(true));
    std::set<std::string> writers;
    for_each_row(disk_, identity_fact_table, [&](const storage::Rows& rows, std::size_t row) {
        writers.insert(text_at(rows, row, 4));
    });
    EXPECT_EQ(writers, (std::set{projecting::writer_of(1, lane), projecting::writer_of(2, lane)}));
    Fact both = link(5, {"web:a", "mail:b"});
    merge(both, link(2, {"web:a", "mail:b"}));
    expect_rows_follow(disk_, {both});
}

TEST_F(IdentitiesTest, a_damaged_fact_holds_up_its_own_lane_alone) {
    tell(*identities_, 1, 0, log_[0]);
    ASSERT_TRUE(identities_->flush(true));
    storage::Batch damage;
    const std::string fact{log_[0].id.bytes.begin(), log_[0].id.bytes.end()};
    const std::int64_t no_time = 0;
    damage.upsert(
        identity_fact_table,
        {"mail",
         "user",
         "b",
         fact,
         projecting::writer_of(1, 1),
         "link",
         "damaged",
         "[]",
         "",
         no_time,
         no_time,
         no_time,
         "",
         "",
         "",
         ""}
    );
    ASSERT_TRUE(storage::write_durably(disk_, damage));
    tell(*identities_, 1, 1, log_[0]);
    tell(*identities_, 2, 0, log_[1]);
    EXPECT_EQ(identities_->flush(true).error().kind, ErrorKind::corrupt);
    EXPECT_EQ(identities_->unsaved(1), 1);
    EXPECT_EQ(identities_->unsaved(2), std::nullopt);
}

TEST_F(IdentitiesTest, says_which_ids_somebody_has_begun_to_take_apart) {
    EXPECT_TRUE(identities_->half_settled().value().empty());
    storage::Batch batch;
    add_unfinished(
        {.writer = projecting::writer_of(1, 63), .token = 7, .ids = {id_of("web:a")}}, batch
    );
    add_unfinished({.writer = "anew", .token = 8, .ids = {id_of("mail:b")}}, batch);
    ASSERT_TRUE(storage::write_durably(disk_, batch));
    EXPECT_EQ(
        identities_->half_settled().value(), (std::vector<Id>{id_of("mail:b"), id_of("web:a")})
    );
}

}  // namespace
}  // namespace footfall::identities
