#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "projecting/owners.h"
#include "rankings/hot.h"
#include "rankings/lane_trends.h"
#include "rankings/score.h"
#include "rankings/trend_settings.h"
#include "rankings/trending.h"
#include "rankings/trends_wire.h"
#include "runtime/accounted_lanes.h"
#include "storage/store.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::rankings {

/// What all lanes said. `provisional`: an owner did not answer, so of his lanes it is as they were
/// stored at `stored`, or nothing.
struct TrendsOfAll {
    std::vector<TrendCandidate> candidates;
    TrendTotals totals;
    bool provisional = false;
    std::optional<Instant> stored = {};  ///< The earliest, of those who did not answer.
};

struct HotOfAll {
    std::vector<HotObject> objects;  ///< The hottest first, equal ones by name.
    bool provisional = false;        ///< Lanes are missing.
};

/// What trends and what is hot among the objects of a job, lane by lane. State is stored now and
/// then with the record up to which it goes; from there on the lane has to be told again after a
/// start (first_unsaved()), and what it includes changes nothing.
///
/// Thread-safe: 64 lanes, each behind its mutex, which is never held while anything is waited for.
class Trends {
public:
    struct Options {
        std::string_view job;   ///< A literal: also the name of its projection.
        std::uint64_t log = 0;  ///< Whose offsets it is told.
        TrendSettings settings = {};
        /// What was told is in memory alone for about so long.
        std::chrono::microseconds interval = std::chrono::seconds{60};
        /// There Trends::answer() answers. Null: all lanes are here.
        projecting::Owners* owners = nullptr;
    };

    Trends(storage::Store& store, const Clock& clock, Options options);

    /// To be called before these lanes are told: reads what is stored of them. What is damaged is
    /// begun anew; the log of the program says so. Waits.
    Result<void> begin(std::span<const std::uint32_t> lanes);

    /// Facts of a lane, in its order. Never waits.
    void apply(std::uint32_t lane, std::span<const TrendFact> facts);

    /// Writes what has waited for `interval`, or `all`, and waits until it is durable.
    Result<void> flush(bool all);

    /// The first record of which something is not stored; absent: all is.
    std::optional<std::uint64_t> first_unsaved(std::uint32_t lane);

    /// Forgets all lanes, as drop_lane().
    void drop_all();

    /// Forgets a lane, and writes nothing more of it once this has returned.
    void drop_lane(std::uint32_t lane);

    /// What all lanes have at `now`, those of other processes, too. Waits.
    Result<TrendsOfAll> trends(std::string_view action, Instant now);

    /// The hottest objects of all lanes. Waits.
    HotOfAll hot(Instant now, std::size_t limit);

    /// Whether a question of another process is one for answer().
    static bool is_question(std::string_view bytes);

    /// Of a lane that is here. `invalid_input`: it is no question. Never waits.
    Result<std::string> answer(std::uint32_t lane, std::string_view question);

    const TrendSettings& settings() const { return options_.settings; }

    std::size_t bytes() const { return lanes_.bytes(); }

    /// Those that are durable.
    std::uint64_t rows_written() const { return rows_written_.load(); }

    runtime::AccountAudit audit(std::size_t lane) { return lanes_.audit(lane); }

private:
    struct Unsaved {
        std::uint64_t offset;
        Instant since;
    };

    struct Lane {
        LaneTrends trends = {};
        std::optional<Unsaved> changed = {};  ///< The first change since it was last encoded.
        std::optional<Unsaved> saving = {};   ///< That of what was encoded and is not durable.
        std::uint64_t drops = 0;

        std::optional<Unsaved> unsaved() const { return saving ? saving : changed; }

        std::size_t bytes() const { return trends.bytes(); }

        std::size_t recount() const { return trends.recount(); }
    };

    static constexpr std::size_t lane_count = runtime::AccountedLanes<Lane>::count;

    struct Saved {
        std::uint32_t lane;
        std::uint64_t drops;
        std::uint64_t through;
        std::string state;
    };

    /// Another process's lane, and what its owner said; absent: no answer.
    struct Told {
        std::uint32_t lane = 0;
        std::optional<std::string> bytes;
    };

    bool is_here(std::uint32_t lane) const;
    std::vector<Told> ask_others(const TrendQuestion& question) const;
    std::vector<storage::Value> key_of(std::uint32_t lane) const;
    std::optional<Saved> encode(std::uint32_t lane, bool all);
    Result<storage::CommitPosition> submit(const Saved& saved);
    void add_here(std::uint32_t lane, std::string_view action, Instant now, TrendsOfAll& all);
    Result<void> add_stored(
        std::uint32_t lane, std::string_view action, Instant now, TrendsOfAll& all
    );

    storage::Store* store_;
    const Clock* clock_;
    const Options options_;
    runtime::AccountedLanes<Lane> lanes_;
    std::mutex flushing_;    ///< One thread at a time writes.
    std::mutex submitting_;  ///< Held while drops are looked at and a row is submitted.
    std::atomic<std::uint64_t> rows_written_ = 0;
};

}  // namespace footfall::rankings
