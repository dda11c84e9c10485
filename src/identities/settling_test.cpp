#include "identities/settling.h"

#include "foundation/testing/test_seed.h"
#include "foundation_testing/rounds.h"
#include "identities/identities.h"
#include "identities/test_history.h"
#include "identities/test_rows.h"
#include "identities/test_telling.h"
#include "storage/memory_store.h"
#include "storage/testing/faulty_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <future>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace footfall::identities {
namespace {

void write_facts(storage::Store& store, const std::vector<Fact>& facts) {
    storage::Batch batch;
    for (const Fact& each : facts) {
        add_rows({.writer = "writer", .fact = each}, batch);
    }
    ASSERT_TRUE(storage::write_durably(store, batch));
}

class SettlingTest : public testing::Test {
protected:
    void write(const Fact& fact) {
        write_facts(store_, {fact});
        facts_.push_back(fact);
    }

    ManualClock clock_{at_second(1'790'000'000)};
    storage::MemoryStore store_{all_tables, clock_};
    std::vector<Fact> facts_;
};

TEST_F(SettlingTest, writes_the_rows_that_follow_and_answers_what_it_knows) {
    const Settling settling{store_, {.secret = rows_secret}};
    write(link(1, {"web:a", "mail:b"}));
    write(link(2, {"mail:b", "app:c"}));
    write(link(3, {"web:x", "web:y"}));
    const auto known = settling.settle(ids_named({"app:c"}), "writer");
    ASSERT_TRUE(known);
    EXPECT_EQ(known->facts.size(), 2);
    ASSERT_EQ(known->resolution.profiles.size(), 1);
    EXPECT_EQ(settling.sid_of(known->resolution.profiles[0]), sid_of(rows_secret, id_of("mail:b")));
    ASSERT_TRUE(settling.settle(ids_named({"web:x"}), "writer"));
    expect_rows_follow(store_, facts_);
}

TEST_F(SettlingTest, facts_are_written_with_what_follows_from_them_or_not_at_all) {
    const Settling settling{
        store_, {.secret = rows_secret, .sight = {.facts_max = 2}, .shared = false}
    };
    const auto settle_with = [&](const std::vector<Fact>& told) {
        storage::Batch rows;
        std::set<Id> named;
        for (const Fact& each : told) {
            add_rows({.writer = "writer", .fact = each}, rows);
            named.insert(each.ids.begin(), each.ids.end());
        }
        return settling.settle_with(
            std::vector<Id>{named.begin(), named.end()}, told, rows, "writer"
        );
    };
    const std::vector<Fact> first{link(1, {"web:a", "mail:b"}), link(2, {"mail:b", "app:c"})};
    EXPECT_EQ(settle_with(first), true);
    expect_rows_follow(store_, first);
    const Fact third = link(3, {"app:c", "tel:d"});
    EXPECT_EQ(settle_with({third}), false) << "three facts hang together";
    expect_rows_follow(store_, first);
    EXPECT_EQ(*find_fact(store_, third.id), std::nullopt);
}

TEST_F(SettlingTest, an_id_that_nobody_named_gets_no_rows) {
    const Settling settling{store_, {.secret = rows_secret}};
    const auto known = settling.settle(ids_named({"web:a"}), "writer");
    ASSERT_TRUE(known);
    EXPECT_TRUE(known->resolution.profiles.empty());
    EXPECT_EQ(rows_there(store_), RowsOfProfiles{});
}

TEST_F(SettlingTest, a_trial_is_known_and_leaves_no_trace) {
    const Settling settling{store_, {.secret = rows_secret}};
    write(link(1, {"web:a", "mail:b"}));
    ASSERT_TRUE(settling.settle(ids_named({"web:a"}), "writer"));
    const std::vector<Fact> trial{parting(2, {"web:a"}, {"mail:b"})};
    const auto known = settling.know(ids_named({"web:a"}), trial);
    ASSERT_TRUE(known);
    EXPECT_EQ(known->resolution.profiles.size(), 2);
    expect_rows_follow(store_, facts_);
}

TEST_F(SettlingTest, too_much_that_hangs_together_holds_nobody_else_up) {
    const Settling settling{store_, {.secret = rows_secret, .sight = {.facts_max = 3}}};
    for (int number = 0; number < 4; ++number) {
        write(link(number, {"web:a", fmt::format("mail:{}", number)}));
    }
    const Fact alone = link(9, {"app:x", "app:y"});
    write(alone);
    EXPECT_EQ(settling.settle(ids_named({"web:a"}), "writer").error().kind, ErrorKind::conflict);
    const auto left = settling.settle_each(ids_named({"web:a", "app:x"}), "writer");
    ASSERT_TRUE(left);
    EXPECT_EQ(*left, 1);
    expect_rows_follow(store_, {alone});
}

TEST_F(SettlingTest, a_damaged_profile_is_corrupt_and_not_written_over) {
    const Settling settling{store_, {.secret = rows_secret}};
    write(link(1, {"web:a", "mail:b"}));
    ASSERT_TRUE(settling.settle(ids_named({"web:a"}), "writer"));
    for (const char* text : {"", "[]", "[[]]", "{}", R"([["user","a","1","shop"]])"}) {
        storage::Batch batch;
        batch.upsert(
            profile_table,
            {stored_sid(sid_of(rows_secret, id_of("mail:b"))), "web", "{}", "{}", text}
        );
        ASSERT_TRUE(storage::write_durably(store_, batch));
        const auto known = settling.settle(ids_named({"web:a"}), "writer");
        ASSERT_FALSE(known) << text;
        EXPECT_EQ(known.error().kind, ErrorKind::corrupt);
    }
}

TEST_F(SettlingTest, rows_of_profiles_are_json_for_people) {
    const Settling settling{store_, {.secret = rows_secret}};
    const Id first{"web", "cookie", "c\"1"};
    Fact fact{.ids = {first, {"web", "user", "u2"}, {"web", "user", "u1"}}, .source = "crm"};
    write(said(fact, 5));
    ASSERT_TRUE(settling.settle({&first, 1}, "writer"));
    const auto row =
        storage::read_one(store_, profile_table, {stored_sid(sid_of(rows_secret, first)), "web"});
    ASSERT_TRUE(row);
    const std::vector<storage::Value> values = row->value_or(std::vector<storage::Value>{});
    ASSERT_EQ(values.size(), 5U);
    EXPECT_EQ(std::get<std::string>(values[2]), R"({"cookie":["c\"1"],"user":["u1","u2"]})");
    EXPECT_EQ(
        std::get<std::string>(values[4]),
        R"([["cookie","c\"1",5000000,"crm"],["user","u1",5000000,"crm"],["user","u2",5000000,"crm"]])"
    );
}

/// All rows of profiles are, byte by byte, as they were before many links were undone, once that is
/// revoked.
void play_undo(Identities& told, storage::Store& store, History& history) {
    const auto tell_all = [&](const std::vector<Fact>& all) {
        static constexpr std::uint64_t begin = 1000;
        for (std::size_t at = 0; at < all.size(); ++at) {
            tell(told, told.lane_of(all[at].ids), begin + history.facts().size() + at, all[at]);
        }
        ASSERT_TRUE(told.flush(true));
        ASSERT_NO_FATAL_FAILURE(expect_rows_follow(store, history.facts(), history.guards()));
    };
    const std::string before = bytes_of_profiles(store);
    const std::vector<Fact> undone = history.undo();
    ASSERT_NO_FATAL_FAILURE(tell_all(undone));
    ASSERT_NO_FATAL_FAILURE(tell_all(history.revoke(undone)));
    ASSERT_EQ(bytes_of_profiles(store), before);
}

/// Rows of a history that two logs tell, one after the other, held to its facts at each step.
void play(std::uint64_t seed, bool shared) {
    History history{seed};
    Random random{seed};
    const ManualClock clock{at_second(1'790'000'000)};
    storage::MemoryStore store{all_tables, clock};
    const auto options = [&](journal::LogId log) {
        return Identities::Options{
            .secret = rows_secret, .log = log, .shared = shared, .guards = history.guards()
        };
    };
    Identities one{store, clock, options(1)};
    Identities other{store, clock, options(2)};
    std::set<std::string> sids;
    for (std::uint64_t step = 0; step < 14; ++step) {
        Identities& told = random.below(2) == 0 ? one : other;
        const Fact said = history.step();
        tell(told, told.lane_of(said.ids), step, said);
        ASSERT_TRUE(told.flush(true));
        ASSERT_NO_FATAL_FAILURE(expect_rows_follow(store, history.facts(), history.guards()));
        ASSERT_NO_FATAL_FAILURE(expect_sids_lead_on(store, sids));
    }
    play_undo(one, store, history);
}

TEST(SettlingHistories, rows_are_at_each_step_what_follows_from_all_facts) {
    const std::uint64_t seed = test_seed();
    const std::uint64_t all = rounds(1'000);
    for (std::uint64_t round = 0; round < all; ++round) {
        SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed + round));
        ASSERT_NO_FATAL_FAILURE(play(seed + round, round % 2 == 0));
    }
}

/// Settles these ids until it is killed: of each write some partitions come into the rows.
void settle_half(
    storage::Store& disk, const Settling::Options& options, std::uint64_t seed, const Fact& said
) {
    storage::FaultyStore store{disk, seed};
    store.set_options({.fail_write = 0.7});
    const Settling killed{store, options};
    auto settled =
        std::async(std::launch::async, [&] { return settle_fact(killed, "writer", said); });
    while (settled.wait_for(std::chrono::seconds{0}) != std::future_status::ready) {
        store.release_writes();
        std::this_thread::yield();
    }
}

/// Whoever is told the fact again settles its ids: nobody else does.
void settle_after(storage::Store& disk, const Settling::Options& options, const Fact& said) {
    const Settling next{disk, options};
    ASSERT_TRUE(next.finish("writer"));
    ASSERT_TRUE(settle_fact(next, "writer", said));
}

/// Somebody ends in the middle of writing rows, at each step.
void play_with_kills(std::uint64_t seed) {
    History history{seed, /*has_data=*/true};
    Random random{seed};
    const ManualClock clock{at_second(1'790'000'000)};
    storage::MemoryStore disk{all_tables, clock};
    const Settling::Options options{.secret = rows_secret, .guards = history.guards()};
    for (std::uint64_t step = 0; step < 14; ++step) {
        const Fact said = history.step();
        std::vector<ToldFact> told{{.writer = "writer", .fact = said}};
        ASSERT_TRUE(merge_with_rows(disk, told));
        ASSERT_NO_FATAL_FAILURE(write_facts(disk, {told.front().fact}));
        settle_half(disk, options, random(), said);
        ASSERT_NO_FATAL_FAILURE(settle_after(disk, options, said));
        ASSERT_NO_FATAL_FAILURE(expect_rows_follow(disk, history.facts(), history.guards()));
    }
}

TEST(SettlingHistories, what_was_written_in_part_is_made_whole_by_who_settles_the_same_ids) {
    const std::uint64_t seed = test_seed();
    const std::uint64_t all = rounds(100);
    for (std::uint64_t round = 0; round < all; ++round) {
        SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed + round));
        ASSERT_NO_FATAL_FAILURE(play_with_kills(seed + round));
    }
}

/// A link that comes late and stands early in the order has two ids come off a profile, of which it
/// names neither. Once these are one profile, nothing that the link names leads to both of them.
TEST(SettlingHistories, what_came_off_in_part_is_made_whole_though_the_link_names_none_of_it) {
    const Settling::Options options{
        .secret = rows_secret, .guards = {.identifiers = {{"crm", {.per_profile = 1}}}}
    };
    const std::vector<Fact> first{
        link(1, {"web:a", "web:b"}), link(2, {"app:c", "crm:two"}), link(3, {"web:b", "app:c"})
    };
    const Fact late = link(0, {"web:b", "crm:one"});
    std::vector<Fact> all = first;
    all.push_back(late);
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const ManualClock clock{at_second(1'790'000'000)};
        storage::MemoryStore disk{all_tables, clock};
        ASSERT_NO_FATAL_FAILURE(write_facts(disk, first));
        ASSERT_TRUE(Settling(disk, options).settle(ids_of(first.back()), "writer"));
        ASSERT_NO_FATAL_FAILURE(write_facts(disk, {late}));
        settle_half(disk, options, seed, late);
        ASSERT_NO_FATAL_FAILURE(settle_after(disk, options, late));
        ASSERT_NO_FATAL_FAILURE(expect_rows_follow(disk, all, options.guards)) << seed;
    }
}

}  // namespace
}  // namespace footfall::identities
