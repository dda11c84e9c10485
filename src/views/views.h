#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "runtime/lanes.h"
#include "storage/store.h"
#include "views/cell_owners.h"
#include "views/lane_cells.h"
#include "views/ranking.h"
#include "views/report.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::views {

/// What an event will touch, before it is judged.
struct Touch {
    std::string_view action;
    std::string_view object;
    Instant time;
};

/// What counting needs to know of a judged event. Borrowed texts.
struct Fact {
    std::size_t touch = 0;  ///< Which of those that were held, of the same object and UTC day.
    std::uint64_t offset = 0;
    Instant time;
    std::optional<std::uint64_t> person;  ///< A keyed hash; absent: nobody, or not to be known.
    std::string_view refusal = {};        ///< Empty: it was counted.
};

class Views;

/// Keeps the cells of some events in memory until it goes. May outlive drop_all(), which makes it
/// void, not the Views. Belongs to one thread at a time.
class Hold {
public:
    Hold(Hold&& other) noexcept;
    Hold& operator=(Hold&& other) noexcept;
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    ~Hold();

private:
    friend class Views;

    /// Of a day of an object.
    struct Pin {
        ObjectCells* object;
        Day day;
    };

    Hold(Views& views, std::size_t lane) : views_{&views}, lane_{lane} {}

    Views* views_;
    std::size_t lane_;
    std::uint64_t incarnation_ = 0;
    std::vector<Pin> pins_;  ///< Of each touch; that of all days is pinned with it.
};

/// How often, by whom, and why not: events of each (action, object) by quarter-hour and reason, and
/// its people by a sketch a UTC day and one of all time. What is stored is a function of the judged
/// log alone: the events of a lane, in their order, make the same bytes whenever rows were written,
/// cells evicted, or the process restarted and the log read again from the checkpoint.
///
/// The way of an event: hold() before its lane is entered, apply() once it is in the log, in the
/// order of the lane; flush() from time to time writes what changed. Only what was applied after a
/// record was appended is in rows submitted later, so a row never tells of a record that is lost.
///
/// Memory: `memory_bytes` for all lanes. Above it what is durable and not held leaves (second
/// chance), and flush() writes at once; at twice that hold() answers `overloaded`.
///
/// Thread-safe: 64 lanes, each behind its mutex, which is never held while anything is waited for.
/// The store must outlive it; its owner calls drop_all() when the store says that writes were lost.
class Views {
public:
    struct Options {
        std::size_t memory_bytes = 256 << 20;
        std::chrono::microseconds flush_interval = std::chrono::seconds{10};
        SipKey secret = {};  ///< Places objects in memory; nothing stored depends on it.
        CellTables tables = live_tables;
        CellOwners* owners = nullptr;  ///< Who counts which lane; null: all are counted here.
    };

    struct Figures {
        std::size_t objects = 0;  ///< In memory, as are the next three.
        std::size_t cells = 0;
        std::size_t bytes = 0;
        std::size_t unsaved = 0;  ///< Cells with changes that are not durable.
        std::uint64_t rows_read = 0;
        std::uint64_t rows_written = 0;
        std::uint64_t cells_evicted = 0;
    };

    /// `log_id`: of the log whose offsets apply() is given. `sketch_key`: names the secret that
    /// people were hashed with.
    Views(
        storage::Store& store,
        std::uint64_t log_id,
        std::uint16_t sketch_key,
        const Clock& clock,
        Options options
    );

    /// Brings the cells that these events touch into memory and keeps them there. Blocks on the
    /// store for those that are not: for a thread that may wait. `overloaded`: memory is full of
    /// what is not durable; `unavailable`: writes were lost meanwhile; else what the store says.
    Result<Hold> hold(std::size_t lane, std::span<const Touch> touches);

    /// Counts events of the lane of `hold`, which holds their cells. Each is counted once: what a
    /// cell includes already, as its row says when the log is read again, is passed over; so the
    /// events of a lane must come in their order. Does nothing if the hold is void. Never waits.
    void apply(const Hold& hold, std::span<const Fact> facts);

    /// Submits rows of cells that changed at least `flush_interval` ago, or all if memory is short.
    /// What the store has no room for stays for the next time.
    Result<void> flush();

    /// Submits rows of all cells that changed and waits until they are durable. The error of the
    /// store otherwise.
    Result<void> flush_all();

    /// Takes events of a lane that are about to leave the log into the expired tables, durably:
    /// what of all counts will follow from no record any more. As of apply(), in the order of the
    /// lane, each once, however often it is told. Changes nothing else. Blocks on the store.
    Result<void> expire(
        std::size_t lane, std::span<const Touch> touches, std::span<const Fact> facts
    );

    /// From here on the log has to be read again after a restart: the lowest offset of the lane
    /// that is not in some durable row; if there is none, the end of what was applied since the
    /// start, 0 if that is nothing. The highest that was ever answered holds.
    std::uint64_t checkpoint(std::size_t lane);

    /// Forgets all that is in memory, and makes all holds void: it depended on writes that were
    /// lost.
    void drop_all();

    /// The same of one lane, and of the holds on it.
    void drop_lane(std::size_t lane);

    /// What is in memory alone: all that was applied before this is in rows. Now, if nothing is.
    Instant stored_until(std::size_t lane);

    /// What rows may not say yet of an object. Of a lane that is counted here: for other processes.
    CellCopies unsaved(const CellsAsked& asked);

    /// Names the secret that people were hashed with.
    std::uint16_t sketch_key() const { return sketch_key_; }

    /// What happened to an object of this lane, all of it that was applied before the call, be it
    /// elsewhere. `invalid_input`: no such range. Blocks on the store: for a thread that may wait.
    /// Cost: 0.1 ms for each day with more than 128 people.
    Result<Report> report(std::size_t lane, const ReportQuery& query);

    /// The same of all objects together, of any lane; query.object is not looked at.
    Result<Report> report_of_all(ReportQuery query);

    /// The objects with the most, the largest first, as far as rows were written: a newcomer takes
    /// a flush_interval. Blocks on the store. Cost: up to 2,000 short reads, and two for each
    /// object that has to be looked at, of which there are at most 1,000 and a page.
    Result<Ranking> top(std::string_view action, RankBy by, std::size_t limit);

    Figures figures();

private:
    friend class Hold;

    using LaneSet = runtime::Lanes<LaneCells>;

    /// What reports are made of beside rows.
    struct Gathered {
        std::vector<CellCopies> of_asked;
        Standing standing;
    };

    Gathered gather(std::span<const CellsAsked> asked);
    Result<Report> report_of(
        std::size_t first_lane, std::size_t end_lane, const ReportQuery& query
    );
    RowMark mark_of(std::size_t lane) const;
    void release(Hold& hold);
    Result<std::vector<Hold::Pin>> pin(Hold& hold, std::span<const Touch> touches);
    Result<void> load(const Hold& hold, std::vector<Hold::Pin> open);
    Result<void> load_these(const Hold& hold, std::span<const Hold::Pin> pins);
    Result<void> load_some(const Hold& hold, std::span<const Hold::Pin> pins);
    template <class Work>
    auto in_lane(std::size_t lane, const Work& work);
    Result<void> make_room();
    void evict(std::size_t looks_a_lane);
    Result<storage::CommitPosition> submit_changed(Instant before);

    storage::Store* store_;
    const std::uint64_t log_id_;
    const std::uint16_t sketch_key_;
    const Clock* clock_;
    const Options options_;
    LaneSet lanes_;
    std::atomic<std::size_t> bytes_ = 0;
    std::atomic<std::size_t> evict_next_ = 0;  ///< The lane whose turn it is.
    std::atomic<std::uint64_t> loads_ = 0;     ///< Raised when a load ended, or all were dropped.
    std::atomic<std::uint64_t> rows_read_ = 0;
    std::atomic<std::uint64_t> rows_written_ = 0;
    std::atomic<std::uint64_t> cells_evicted_ = 0;
};

}  // namespace footfall::views
