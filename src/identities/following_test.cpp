#include "identities/following.h"

#include "erasure/ledger.h"
#include "erasure/schema.h"
#include "foundation/random.h"
#include "foundation/testing/test_seed.h"
#include "foundation_testing/rounds.h"
#include "identities/expired_links.h"
#include "identities/identities.h"
#include "identities/test_facts.h"
#include "identities/test_rows.h"
#include "identities/test_telling.h"
#include "projecting/writer.h"
#include "storage/memory_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::identities {
namespace {

using namespace std::chrono_literals;

/// Tables that stand in all regions.
constexpr std::array replicated{
    &identity_fact_table,
    &fact_anchor_table,
    &sid_anchor_table,
    &identity_feed_table,
    &identity_feed_end_table
};

std::vector<const storage::Table*> tables_of_region() {
    std::vector<const storage::Table*> tables{all_tables.begin(), all_tables.end()};
    tables.insert(tables.end(), erasure::all_tables.begin(), erasure::all_tables.end());
    return tables;
}

struct Record {
    std::uint32_t lane = 0;
    std::uint64_t offset = 0;
    Fact fact;
};

/// A region with its own log and its own store, which a test replicates to and from.
class Region {
public:
    Region(std::string name, journal::LogId log, const Clock& clock, Guards guards = {})
        : name_{std::move(name)},
          log_{log},
          clock_{&clock},
          guards_{std::move(guards)},
          store_{tables_of_region(), clock} {
        start();
    }

    storage::Store& store() { return store_; }

    void erase(const std::vector<Id>& ids) {
        ASSERT_TRUE(ledger_->record(ids, "profile", {}, clock_->now()));
        ASSERT_TRUE(identities_->erase(ids));
    }

    journal::LogId log() const { return log_; }

    void say(std::uint32_t lane, const Fact& fact) {
        records_.push_back({.lane = lane, .offset = next_[lane]++, .fact = fact});
        tell(*identities_, lane, records_.back().offset, fact);
    }

    void flush() {
        const auto flushed = identities_->flush(true);
        ASSERT_TRUE(flushed) << flushed.error().message;
        saved_ = next_;
    }

    /// Is killed before its checkpoint moves: told again from a record on that was not saved, or
    /// before it.
    void restart(Random& random) {
        std::map<std::uint32_t, std::uint64_t> starts;
        for (const auto& [lane, next] : next_) {
            starts[lane] = random.below(saved_[lane] + 1);
        }
        start(starts);
        for (const auto& [lane, start] : starts) {
            for (const Record& each : records_) {
                if (each.lane == lane && each.offset >= start) {
                    tell(*identities_, lane, each.offset, each.fact);
                }
            }
        }
    }

    /// Its feed begins at a record of a lane: nothing before it has facts.
    void begin_at(std::uint32_t lane, std::uint64_t offset) {
        next_[lane] = saved_[lane] = offset;
        start({{lane, offset}});
    }

    bool follow() {
        const auto followed = following_->go_on({});
        EXPECT_TRUE(followed) << followed.error().message;
        return followed.value_or(false);
    }

    /// Settles what has ended.
    void look() { ASSERT_TRUE(ExpiredLinks{*identities_}.go_on({})); }

    std::size_t lanes_behind() const { return following_->lanes_behind(); }

    std::uint64_t facts_followed() const { return following_->facts_followed(); }

    const std::vector<Record>& records() const { return records_; }

private:
    void start(const std::map<std::uint32_t, std::uint64_t>& starts = {}) {
        following_.reset();
        identities_ = std::make_unique<Identities>(
            store_,
            *clock_,
            Identities::Options{
                .secret = rows_secret,
                .ledger = ledger_.get(),
                .log = log_,
                .guards = guards_,
                .region = name_
            }
        );
        std::vector<projecting::LaneStart> lanes;
        for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
            const auto start = starts.find(lane);
            lanes.push_back({.lane = lane, .offset = start == starts.end() ? 0 : start->second});
        }
        const auto begun = identities_->begin(lanes);
        ASSERT_TRUE(begun) << begun.error().message;
        following_ = std::make_unique<Following>(*identities_, name_);
    }

    const std::string name_;
    const journal::LogId log_;
    const Clock* clock_;
    const Guards guards_;
    storage::MemoryStore store_;
    std::unique_ptr<erasure::Ledger> ledger_ = erasure::Ledger::open(store_, rows_secret).value();
    std::unique_ptr<Identities> identities_;
    std::unique_ptr<Following> following_;
    std::map<std::uint32_t, std::uint64_t> next_;
    std::map<std::uint32_t, std::uint64_t> saved_;  ///< As next_, when all was flushed.
    std::vector<Record> records_;
};

/// Rows of the tables of all regions that `to` does not have as `from` does.
struct MissingRow {
    const storage::Table* table = nullptr;
    std::vector<storage::Value> values;
};

using TableRows = std::map<std::vector<storage::Value>, std::vector<storage::Value>>;

TableRows rows_of(storage::Store& store, const storage::Table& table) {
    TableRows all;
    for_each_row(store, table, [&](const storage::Rows& rows, std::size_t row) {
        std::vector<storage::Value> values;
        values.reserve(table.width());
        for (std::size_t at = 0; at < table.width(); ++at) {
            values.push_back(rows.at(row, at).owned());
        }
        all.emplace(
            std::vector<storage::Value>{
                values.begin(), values.begin() + static_cast<std::ptrdiff_t>(table.key_width())
            },
            values
        );
    });
    return all;
}

/// Only rows that a region wrote itself go from it to the other one; those that name no writer are
/// the same whoever writes them.
bool is_written_by(journal::LogId log, const MissingRow& row) {
    for (std::size_t at = 0; at < row.table->key_width(); ++at) {
        if (row.table->column(at).name == "writer") {
            const auto writer = projecting::writer_in(std::get<std::string>(row.values[at]));
            return writer && writer->log == log;
        }
    }
    return true;
}

/// Brings some rows, one by one in any order; all if `chance` is 1.
void replicate(
    Region& from,
    Region& to,
    double chance,
    Random& random,
    std::span<const storage::Table* const> tables = replicated
) {
    std::vector<MissingRow> missing;
    for (const storage::Table* const table : tables) {
        const TableRows there = rows_of(to.store(), *table);
        for (const auto& [key, values] : rows_of(from.store(), *table)) {
            const auto same = there.find(key);
            MissingRow row{.table = table, .values = values};
            if ((same == there.end() || same->second != values) && is_written_by(from.log(), row)) {
                missing.push_back(std::move(row));
            }
        }
    }
    std::ranges::shuffle(missing, random);
    storage::Batch batch;
    for (const MissingRow& each : missing) {
        if (chance < 1 && static_cast<double>(random.below(1000)) >= chance * 1000) {
            continue;
        }
        batch.upsert(*each.table, storage::views_of(each.values));
    }
    ASSERT_TRUE(storage::write_durably(to.store(), batch));
}

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

class TwoRegions : public testing::Test {
protected:
    void replicate_all() {
        replicate(a_, b_, 1, random_);
        replicate(b_, a_, 1, random_);
    }

    void follow_all() {
        while (a_.follow()) {
        }
        while (b_.follow()) {
        }
    }

    ManualClock clock_{at_second(1'790'000'000)};
    Random random_{test_seed()};
    Region a_{"ams", 7, clock_};
    Region b_{"fra", 8, clock_};
};

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

/// Its facts come once all that was here is looked through, by the feed and by reading all.
TEST_F(TwoRegions, erase_what_comes_late_of_whom_one_erased) {
    for (const bool is_followed_before : {false, true}) {
        Region a{"ams", 7, clock_};
        Region b{"fra", 8, clock_};
        if (is_followed_before) {
            while (a.follow()) {
            }
        }
        b.say(1, link(1, {"app:gone", "mail:there"}));
        b.say(1, link(2, {"mail:there", "mail:too"}));
        b.flush();
        a.erase({id_of("app:gone")});
        replicate(b, a, 1, random_);
        while (a.follow()) {
        }
        const std::vector<Id> ids{id_of("app:gone"), id_of("mail:there"), id_of("mail:too")};
        const auto index = read_index(a.store(), ids);
        ASSERT_TRUE(index);
        EXPECT_FALSE(index->contains(ids[0])) << is_followed_before;
        EXPECT_EQ(index->at(ids[1]).sid, index->at(ids[2]).sid);
        for (const storage::Table* const each : {&identity_fact_table, &sid_anchor_table}) {
            for (const auto& [key, row] : rows_of(a.store(), *each)) {
                EXPECT_EQ(std::ranges::count(row, storage::Value{std::string{"gone"}}), 0)
                    << each->name;
            }
        }
    }
}

/// The region that said it takes it out of its rows, which comes here behind all else.
TEST_F(TwoRegions, leave_out_whom_one_erased_while_rows_still_name_them) {
    const std::vector<Id> ids{id_of("app:gone"), id_of("mail:there"), id_of("mail:too")};
    b_.say(1, link(1, {"app:gone", "mail:there"}));
    b_.flush();
    replicate(b_, a_, 1, random_);
    const TableRows late = rows_of(a_.store(), identity_fact_table);
    a_.erase({ids[0]});
    follow_all();
    b_.say(1, link(2, {"mail:there", "mail:too"}));
    b_.flush();
    replicate(b_, a_, 1, random_);
    storage::Batch batch;
    for (const auto& [key, values] : late) {
        batch.upsert(identity_fact_table, storage::views_of(values));
    }
    ASSERT_TRUE(storage::write_durably(a_.store(), batch));
    follow_all();
    const auto index = read_index(a_.store(), ids);
    ASSERT_TRUE(index);
    EXPECT_FALSE(index->contains(ids[0]));
    EXPECT_EQ(index->at(ids[1]).sid, index->at(ids[2]).sid);
}

/// What is left of a fact without them comes by replication, too, and behind the feed.
TEST_F(TwoRegions, wait_for_what_is_left_without_whom_one_erased) {
    const std::vector<Id> ids{id_of("app:gone"), id_of("mail:there")};
    follow_all();
    b_.say(1, link(1, {"app:gone", "mail:there"}));
    b_.flush();
    a_.erase({ids[0]});
    replicate(b_, a_, 1, random_, std::array{&identity_feed_table, &identity_feed_end_table});
    EXPECT_FALSE(a_.follow());
    EXPECT_EQ(a_.lanes_behind(), 1U);
    b_.erase({ids[0]});
    replicate(b_, a_, 1, random_);
    EXPECT_TRUE(a_.follow());
    EXPECT_EQ(a_.lanes_behind(), 0U);
    const auto index = read_index(a_.store(), ids);
    ASSERT_TRUE(index);
    EXPECT_FALSE(index->contains(ids[0]));
    EXPECT_TRUE(index->contains(ids[1]));
}

/// Nothing is left of a parting that has one side.
TEST_F(TwoRegions, wait_once_and_not_for_ever_for_what_an_erasure_left_nothing_of) {
    follow_all();
    b_.say(1, parting(1, {"mail:gone"}, {"app:there"}));
    b_.say(1, link(2, {"app:there", "mail:too"}));
    b_.say(1, link(3, {"app:there", "mail:gone"}));
    b_.flush();
    a_.erase({id_of("mail:gone")});
    b_.erase({id_of("mail:gone")});
    replicate(b_, a_, 1, random_);
    follow_all();
    EXPECT_EQ(a_.lanes_behind(), 1U);
    clock_.advance(5min);
    follow_all();
    EXPECT_EQ(a_.lanes_behind(), 0U);
    expect_rows_follow(a_.store(), {link(2, {"app:there", "mail:too"}), link(3, {"app:there"})});
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
