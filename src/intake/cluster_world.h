#pragma once

#include "foundation/random.h"
#include "intake/follower.h"
#include "intake/guard_reader.h"
#include "intake/log_collector.h"
#include "intake/test_world.h"
#include "journal/side_by_side.h"

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace footfall::intake {

/// Lanes of a log, as much as is durable, given to one reader: a feed whose lanes the test moves.
class HandFeed {
public:
    HandFeed(journal::Log& log, journal::LaneReader& reader, std::size_t lanes_at_once)
        : log_{&log}, reader_{&reader}, readers_{lanes_at_once} {}

    Result<void> assign(std::span<const std::uint32_t> lanes) {
        TRY(const std::vector<std::uint64_t> offsets, reader_->assigned(lanes));
        for (std::size_t at = 0; at < lanes.size(); ++at) {
            next_[lanes[at]] = offsets[at];
        }
        return {};
    }

    void revoke(std::span<const std::uint32_t> lanes, bool lost) {
        reader_->revoked(lanes, lost);
        for (const std::uint32_t lane : lanes) {
            next_.erase(lane);
        }
    }

    /// Gives all that is there, at most `records` of a lane at once.
    Result<void> run(std::size_t records) {
        TRY(const journal::LaneReader::Next how, reader_->settle());
        if (how != journal::LaneReader::Next::as_before) {
            for (auto& [lane, next] : next_) {
                next = reader_->next(lane);
            }
        }
        for (;;) {
            std::vector<journal::Portion> portions;
            for (const auto& [lane, next] : next_) {
                TRY(journal::Records read, log_->read(lane, next, {.records = records}));
                if (!read.empty()) {
                    portions.push_back({.lane = lane, .records = std::move(read)});
                }
            }
            if (portions.empty()) {
                return {};
            }
            readers_.give(*reader_, portions);
            Result<void> outcome;
            for (auto& [lane, read, taken] : portions) {
                next_[lane] = taken ? read.next() : reader_->next(lane);
                outcome = taken ? outcome : taken;
            }
            TRY_VOID(outcome);
        }
    }

private:
    journal::Log* log_;
    journal::LaneReader* reader_;
    journal::SideBySide readers_;
    std::map<std::uint32_t, std::uint64_t> next_;
};

/// A store that fails on its own, with a log in it.
class LogWorld {
public:
    explicit LogWorld(std::uint64_t seed) : seed_{seed} { start(); }

    storage::FaultyStore& store() { return *store_; }

    journal::Log& log() { return *log_; }

    /// What is not durable is gone.
    void crash() {
        log_.reset();
        store_.reset();
        start();
    }

private:
    void start() {
        store_ = std::make_unique<storage::FaultyStore>(
            inner_, ++seed_, storage::FaultOptions{.lose_only_the_end = true}
        );
        log_ = journal_rocksdb::StoreLog::open(*store_).value();
    }

    ManualClock clock_{Instant{}};
    const std::array<const storage::Table*, 4> tables_{
        &storage::deployment_table,
        &journal_rocksdb::log_block_table,
        &journal_rocksdb::log_lane_table,
        &journal_rocksdb::log_begin_table
    };
    std::uint64_t seed_;
    storage::MemoryStore inner_{tables_, clock_};
    std::unique_ptr<storage::FaultyStore> store_;
    std::unique_ptr<journal_rocksdb::StoreLog> log_;
};

}  // namespace footfall::intake
