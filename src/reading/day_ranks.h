#pragma once

#include "foundation/clock.h"
#include "journal/log.h"
#include "projecting/projection.h"
#include "projecting/rows_behind.h"
#include "rankings/lane_trends.h"
#include "rankings/rank_rows.h"
#include "reading/day_counts.h"
#include "runtime/accounted_lanes.h"
#include "storage/store.h"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace footfall::reading {

/// Articles as rankings name them.
inline constexpr rankings::RankedBy ranked_reads{
    .job = "reading", .action = "read", .sort = "people"
};

/// Writes of each URL and UTC day into which size classes it came (rankings/rank_rows.h), by
/// DayCounts, which are stored now and then with the record up to which they go. From there on a
/// lane is told again after a start (unsaved()), and what they include changes nothing.
///
/// Counts are of reads, not of people: somebody who reads an article twice a day makes its class no
/// smaller than it is. Thread-safe: lanes, each behind its mutex. All given must outlive it.
class DayRanks {
public:
    struct Options {
        journal::LogId log{};
        std::chrono::microseconds interval = std::chrono::seconds{1};         ///< Of rows.
        std::chrono::microseconds state_interval = std::chrono::seconds{30};  ///< Of counts.
    };

    DayRanks(storage::Store& store, const Clock& clock, Options options)
        : store_{&store},
          clock_{&clock},
          options_{options},
          rows_{store, clock, options.interval} {}

    /// As Projection has them, of shared reads that count, in the order of their records.
    /// `corrupt`: what is stored is damaged.
    Result<void> begin(std::span<const projecting::LaneStart> lanes);
    void apply(std::uint32_t lane, std::span<const rankings::TrendFact> reads);
    Result<void> wait_for_room();
    Result<void> flush(bool all);
    std::optional<std::uint64_t> unsaved(std::uint32_t lane);
    void drop_lane(std::uint32_t lane);

    Instant stored_until(std::uint32_t lane) { return rows_.stored_until(lane); }

    /// From then on rows have all that came before. Waits for the store.
    Result<void> write_rows() { return rows_.flush(true); }

    std::uint64_t rows_written() const { return rows_.rows_written(); }

    std::vector<runtime::AuditedAccount> accounts();

private:
    struct Lane {
        DayCounts counts = DayCounts{};
        std::uint64_t through = 0;                ///< Records before this are in them.
        std::optional<std::uint64_t> first = {};  ///< The first that is in no row yet.
        Instant since{};                          ///< When it came.
        std::uint64_t drops = 0;

        std::size_t bytes() const { return counts.bytes(); }

        std::size_t recount() const { return counts.recount(); }
    };

    struct Saved {
        std::uint32_t lane = 0;
        std::uint64_t drops = 0;
        std::uint64_t through = 0;
        std::string state;
    };

    std::optional<Saved> save(std::uint32_t lane, bool all);
    Result<storage::CommitPosition> submit(const Saved& saved);

    storage::Store* store_;
    const Clock* clock_;
    const Options options_;
    projecting::RowsBehind rows_;
    runtime::AccountedLanes<Lane> lanes_;
    std::mutex flushing_;    ///< One thread at a time writes.
    std::mutex submitting_;  ///< Held while drops are looked at and a row is submitted.
};

}  // namespace footfall::reading
