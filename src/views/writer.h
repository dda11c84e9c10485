#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "runtime/accounted_lanes.h"
#include "runtime/memory_shares.h"
#include "storage/store.h"
#include "views/lane_cells.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace footfall::views {

/// All lanes of views, and how often each was dropped: what was made of a lane before that is void.
/// Thread-safe.
struct ViewLanes {
    static constexpr std::size_t count = runtime::AccountedLanes<LaneCells>::count;

    runtime::AccountedLanes<LaneCells> cells;
    std::array<std::atomic<std::uint64_t>, count> drops{};
};

/// Writes what memory has of views: merges what waits with its rows, in rounds. A round takes what
/// is dirty when it begins, in the order of the rows' keys, so that rows which lie together are
/// read and written together; objects that many events are of keep their cells between rounds.
///
/// Thread-safe; one thread at a time works, others wait for it. What it is given must outlive it.
class Writer {
public:
    struct Options {
        std::uint64_t log_id = 0;
        std::uint16_t sketch_key = 0;
        CellTables tables = live_tables;
        runtime::MemoryShare* memory = nullptr;  ///< Above it a round begins at once.
        /// Else when something waits for so long, and if it is of many objects,
        std::chrono::microseconds interval{};
        std::chrono::microseconds interval_of_many{};  ///< for so long.
        std::chrono::microseconds turn{};              ///< A turn ends about then.
        std::size_t busy_at_least = 0;                 ///< Events a round that make an object busy.
    };

    struct Figures {
        std::uint64_t rows_asked = 0;
        std::uint64_t rows_read = 0;
        std::uint64_t rows_written = 0;
        std::uint64_t cells_evicted = 0;  ///< Objects that ceased to be busy.
    };

    Writer(storage::Store& store, const Clock& clock, ViewLanes& lanes, const Options& options)
        : store_{&store},
          clock_{&clock},
          lanes_{&lanes},
          options_{options},
          busy_at_{options.busy_at_least} {}

    /// Goes on with a round, or begins one if it is due or memory is short. What the store has no
    /// room for stays for the next turn. Waits for reads. `corrupt`: some row is damaged; all
    /// others were written.
    Result<void> turn();

    /// The same for who has other things to do: `overloaded` if another thread is at it.
    Result<void> try_turn();

    /// Writes all that is here when it is called, and waits until it is durable.
    Result<void> write_all();

    /// Notices what has become durable, unless another thread is at work. Never waits.
    void settle();

    /// Of an object of which so many events wait memory should have the cells.
    std::size_t busy_at() const { return busy_at_.load(std::memory_order_relaxed); }

    /// To be called after a lane was dropped: nothing that was made of it before is submitted after
    /// this. Never waits for the store.
    void note_dropped() { const std::lock_guard lock{submitting_}; }

    RowMark mark_of(std::size_t lane) const;

    Figures figures() const {
        return {
            .rows_asked = rows_asked_,
            .rows_read = rows_read_,
            .rows_written = rows_written_,
            .cells_evicted = evicted_
        };
    }

private:
    /// An object of a round.
    struct Place {
        ObjectCells::Owner object;
        std::uint32_t lane;
        std::uint32_t weight = 0;  ///< About how much of its rows is written.
        /// Of the object's name: a round has millions, which are sorted so that rows are read and
        /// written near to each other.
        std::uint64_t begins_with = 0;
    };

    /// How often each lane was dropped before something was made of it.
    using Drops = std::array<std::uint64_t, ViewLanes::count>;

    /// Cells that are read for some places.
    struct Wanted {
        std::vector<std::vector<storage::Value>> keys;
        std::vector<std::pair<std::size_t, Day>> of_key;  ///< Which place, and day.
    };

    using CellsOfPlaces = std::vector<std::vector<Cell>>;

    struct Cells {
        CellsOfPlaces of;
        std::vector<bool> damaged;  ///< Places of which a row cannot be read.
    };

    struct Round {
        std::vector<Place> places;
        std::size_t next = 0;
        std::uint64_t weight = 0;   ///< Of all places,
        std::uint64_t written = 0;  ///< and of those before `next`.
        Instant begun;
        Drops drops{};
        std::array<bool, ViewLanes::count> failed{};  ///< A row of it is damaged.
    };

    struct Submitted {
        storage::CommitPosition position;
        std::vector<Place> places;
        Drops drops;
    };

    bool is_tight() const { return lanes_->cells.bytes() > options_.memory->bytes(); }

    bool is_valid(const Place& place, const Drops& drops) const {
        return drops[place.lane] == lanes_->drops[place.lane];
    }

    Drops drops_now() const;

    Result<void> turn_alone();
    bool is_due();
    void begin_round();
    bool may_wait(const Round& round) const;
    void note_arrivals();

    bool is_quiet() const { return is_past(came_at_, options_.interval); }

    bool is_past(Instant since, std::chrono::microseconds interval) const;

    Result<void> run(bool all, std::chrono::steady_clock::time_point end);
    Result<void> finish();
    Result<void> write_some(Round& round);
    Result<void> take_damage();
    Result<void> make_busy();
    Result<CellsOfPlaces> read(std::span<const Place> places, const Drops& drops);
    void want(Wanted& wanted, const Place& place, std::size_t at, Day day) const;
    Result<std::vector<std::size_t>> read_rows(
        const storage::Table& table, Wanted wanted, std::span<const Place> places, Cells& cells
    );
    Result<storage::CommitPosition> submit(
        const storage::Batch& batch, std::span<const Place> places, const Drops& drops
    );
    void settle_submitted();
    void choose_busy();

    storage::Store* store_;
    const Clock* clock_;
    ViewLanes* lanes_;
    const Options options_;
    std::mutex mutex_;  ///< Of what follows, and of the turn.
    std::optional<Round> round_;
    std::deque<Submitted> submitted_;  ///< Not known to be durable.
    std::optional<Error> damage_;      ///< A row that could not be merged in this turn.
    std::uint64_t arrived_ = 0;        ///< Events of all lanes, when the last turn began.
    Instant came_at_{};                ///< When a turn last saw that more had come.
    std::mutex submitting_;
    std::atomic<std::size_t> busy_at_;
    std::atomic<std::uint64_t> rows_asked_ = 0;
    std::atomic<std::uint64_t> rows_read_ = 0;
    std::atomic<std::uint64_t> rows_written_ = 0;
    std::atomic<std::uint64_t> evicted_ = 0;
};

}  // namespace footfall::views
