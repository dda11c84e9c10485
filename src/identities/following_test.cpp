#include "foundation/testing/test_seed.h"
#include "foundation_testing/rounds.h"
#include "identities/test_regions.h"
#include "projecting/writer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace footfall::identities {
namespace {

using namespace std::chrono_literals;

Fact any_fact(Random& random, std::int64_t second, const std::vector<Fact>& said) {
    const auto id = [&] {
        return (random.below(2) == 0 ? "app:u" : "mail:u") + std::to_string(random.below(40));
    };
    if (!said.empty() && random.below(4) == 0) {
        Fact again = said[random.below(said.size())];
        if (again.kind == FactKind::link) {
            again.first = again.last = again.recorded = at_second(second);
            return again;
        }
    }
    if (random.below(8) == 0) {
        return parting(second, {id()}, {id() + "x"});
    }
    std::string first = id();
    std::string second_id = id();
    if (first == second_id) {
        second_id += "y";
    }
    return link(second, {first, second_id});
}

std::vector<Fact> all_of(const Region& here, const Region& there) {
    std::map<FactId, Fact> facts;
    for (const Region* const each : {&here, &there}) {
        for (const Record& record : each->records()) {
            const auto [known, is_new] = facts.try_emplace(record.fact.id, record.fact);
            if (!is_new) {
                merge(known->second, record.fact);
            }
        }
    }
    std::vector<Fact> list;
    list.reserve(facts.size());
    for (const auto& [id, fact] : facts) {
        list.push_back(fact);
    }
    return list;
}

TEST_F(TwoRegions, end_with_the_same_profiles_whatever_comes_first) {
    SCOPED_TRACE(test_seed());
    for (std::size_t round = 0; round < rounds(60) && !HasFailure(); ++round) {
        std::vector<Fact> said;
        Region a{"ams", 7, clock_};
        Region b{"fra", 8, clock_};
        for (std::int64_t step = 1; step < 100 && !HasFailure(); ++step) {
            Region& one = random_.below(2) == 0 ? a : b;
            switch (random_.below(8)) {
                case 0:
                    replicate(a, b, 0.8, random_);
                    break;
                case 1:
                    replicate(b, a, 0.8, random_);
                    break;
                case 2:
                    one.follow();
                    break;
                case 3:
                    one.flush();
                    break;
                case 4:
                    if (random_.below(4) == 0) {
                        one.restart(random_);
                    }
                    break;
                default:
                    said.push_back(any_fact(random_, step, said));
                    one.say(static_cast<std::uint32_t>(random_.below(2)), said.back());
                    if (random_.below(2) == 0) {
                        one.flush();
                    }
            }
        }
        a.flush();
        b.flush();
        replicate(a, b, 1, random_);
        replicate(b, a, 1, random_);
        while (a.follow()) {
        }
        while (b.follow()) {
        }
        EXPECT_EQ(a.lanes_behind() + b.lanes_behind(), 0U);
        const std::vector<Fact> all = all_of(a, b);
        expect_rows_follow(a.store(), all);
        expect_rows_follow(b.store(), all);
    }
}

TEST_F(TwoRegions, follow_a_feed_that_begins_behind_the_log) {
    a_.begin_at(1, 200'000);
    replicate_all();
    follow_all();
    a_.begin_at(1, 200'003);
    a_.say(1, link(1, {"app:a", "mail:b"}));
    a_.flush();
    a_.begin_at(1, 400'000);
    a_.say(1, link(2, {"app:a", "mail:c"}));
    a_.flush();
    replicate_all();
    follow_all();
    EXPECT_EQ(b_.lanes_behind(), 0U);
    EXPECT_EQ(b_.facts_followed(), 2U);
    expect_rows_follow(b_.store(), all_of(a_, b_));
}

TEST_F(TwoRegions, do_not_pass_over_what_has_not_come) {
    a_.say(1, link(1, {"app:a", "mail:b"}));
    a_.flush();
    a_.say(1, link(2, {"app:a", "mail:c"}));
    a_.flush();
    // Only the second row of the feed, and no fact.
    const TableRows feed = rows_of(a_.store(), identity_feed_table);
    ASSERT_EQ(feed.size(), 2U);
    storage::Batch batch;
    batch.upsert(identity_feed_table, storage::views_of(feed.rbegin()->second));
    for (const auto& [key, row] : rows_of(a_.store(), identity_feed_end_table)) {
        batch.upsert(identity_feed_end_table, storage::views_of(row));
    }
    ASSERT_TRUE(storage::write_durably(b_.store(), batch));
    EXPECT_FALSE(b_.follow());
    EXPECT_EQ(b_.lanes_behind(), 1U);
    // The feed, and still no fact.
    batch.clear();
    batch.upsert(identity_feed_table, storage::views_of(feed.begin()->second));
    ASSERT_TRUE(storage::write_durably(b_.store(), batch));
    EXPECT_FALSE(b_.follow());
    EXPECT_EQ(b_.lanes_behind(), 1U);
    replicate_all();
    EXPECT_TRUE(b_.follow());
    EXPECT_EQ(b_.lanes_behind(), 0U);
    EXPECT_EQ(b_.facts_followed(), 2U);
    expect_rows_follow(b_.store(), all_of(a_, b_));
}

TEST_F(TwoRegions, read_all_facts_anew_when_the_feed_has_expired) {
    a_.say(1, link(1, {"app:a", "mail:b"}));
    a_.flush();
    replicate_all();
    follow_all();
    a_.say(1, link(2, {"app:c", "mail:d"}));
    a_.flush();
    const TableRows expiring = rows_of(a_.store(), identity_feed_table);
    clock_.advance(feed_lives - 1h);
    a_.say(1, link(3, {"app:e", "mail:f"}));
    a_.flush();
    clock_.advance(2h);
    for (const auto& [key, row] : expiring) {
        storage::Batch batch;
        batch.erase(identity_feed_table, storage::views_of(key));
        ASSERT_TRUE(storage::write_durably(a_.store(), batch));
        ASSERT_TRUE(storage::write_durably(b_.store(), batch));
    }
    replicate_all();
    follow_all();
    follow_all();
    EXPECT_EQ(b_.lanes_behind(), 0U);
    expect_rows_follow(b_.store(), all_of(a_, b_));
}

TEST_F(TwoRegions, take_in_what_was_said_before_there_was_another) {
    // Facts that no feed tells of, as of a log that is older than it.
    storage::Batch batch;
    const Fact fact = link(1, {"app:a", "mail:b"});
    add_rows({.writer = projecting::writer_of(5, 1), .fact = fact}, batch);
    ASSERT_TRUE(storage::write_durably(b_.store(), batch));
    EXPECT_FALSE(b_.follow());
    expect_rows_follow(b_.store(), {fact});
}

/// One by the feed, one that no feed tells of.
TEST_F(TwoRegions, each_settle_what_has_ended_of_the_other) {
    const Guards guards{.identifiers = {{"app", {.ttl = 1h}}}};
    Region a{"ams", 7, clock_, guards};
    Region b{"fra", 8, clock_, guards};
    const std::int64_t now = 1'790'000'000;
    const Fact older = link(now, {"app:a", "mail:b"});
    storage::Batch batch;
    add_rows({.writer = projecting::writer_of(5, 1), .fact = older}, batch);
    ASSERT_TRUE(storage::write_durably(b.store(), batch));
    a.say(1, link(now, {"app:c", "mail:d"}));
    a.say(1, link(now, {"tv:e", "mail:f"}));
    a.flush();
    replicate(a, b, 1, random_);
    while (b.follow()) {
    }
    std::vector<Fact> all = all_of(a, b);
    all.push_back(older);
    expect_rows_follow(b.store(), all, guards, clock_.now());
    EXPECT_EQ(rows_there(b.store()).profiles.size(), 3U);
    clock_.advance(1h + 10s);
    b.look();
    expect_rows_follow(b.store(), all, guards, clock_.now());
    EXPECT_EQ(rows_there(b.store()).profiles.size(), 5U);
}

}  // namespace
}  // namespace footfall::identities
