#pragma once

#include "erasure/ledger.h"
#include "erasure/schema.h"
#include "foundation/random.h"
#include "foundation/testing/test_seed.h"
#include "identities/expired_links.h"
#include "identities/following.h"
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
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

/// Two regions of one deployment, for tests of what follows from one in the other.
namespace footfall::identities {

/// Tables that stand in all regions.
inline constexpr std::array replicated{
    &identity_fact_table,
    &fact_anchor_table,
    &sid_anchor_table,
    &identity_feed_table,
    &identity_feed_end_table
};

inline std::vector<const storage::Table*> tables_of_region() {
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

inline TableRows rows_of(storage::Store& store, const storage::Table& table) {
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
inline bool is_written_by(journal::LogId log, const MissingRow& row) {
    for (std::size_t at = 0; at < row.table->key_width(); ++at) {
        if (row.table->column(at).name == "writer") {
            const auto writer = projecting::writer_in(std::get<std::string>(row.values[at]));
            return writer && writer->log == log;
        }
    }
    return true;
}

/// Brings some rows, one by one in any order; all if `chance` is 1.
inline void replicate(
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

}  // namespace footfall::identities
