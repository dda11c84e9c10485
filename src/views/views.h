#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "rankings/windows.h"
#include "runtime/accounted_lanes.h"
#include "runtime/memory_shares.h"
#include "storage/store.h"
#include "views/cell_owners.h"
#include "views/highest_classes.h"
#include "views/lane_cells.h"
#include "views/ranking.h"
#include "views/report.h"
#include "views/writer.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::views {

/// What counting needs to know of a judged event. Borrowed texts.
struct Fact {
    std::string_view action;
    std::string_view object;
    std::uint64_t offset = 0;
    Instant time;
    std::optional<std::uint64_t> person;  ///< A keyed hash; absent: nobody, or not to be known.
    std::string_view refusal = {};        ///< Empty: it was counted.
};

/// Borrowed name.
struct LaneObject {
    std::string_view object;
    std::size_t lane = 0;
};

/// How often, by whom, and why not: events of each (action, object) by quarter-hour and reason, and
/// its people by a sketch a UTC day and one of all time. What is stored is a function of the judged
/// log alone: the events of a lane, in their order, make the same bytes whenever rows were written,
/// cells evicted, or the process restarted and the log read again from the checkpoint.
///
/// The way of an event: apply() once it is in the log, in the order of the lane; flush() from time
/// to time writes what changed. Only what was applied after a record was appended is in rows
/// submitted later, so a row never tells of a record that is lost. Nothing is read when an event
/// comes: it waits in memory until it is merged with its rows, or, if many events are of its
/// object, is counted in cells that stay open.
///
/// Memory: `memory_bytes` for all lanes. Above it flush() writes at once; at twice that
/// wait_for_room() answers `overloaded`.
///
/// Thread-safe: 64 lanes, each behind its mutex, which is never held while anything is waited for.
/// The store must outlive it; its owner calls drop_all() when the store says that writes were lost.
class Views {
public:
    struct Options {
        std::size_t memory_bytes = 256 << 20;
        runtime::MemoryShare* memory = nullptr;  ///< Says how much, in place of memory_bytes.
        /// What was applied is in memory alone for about so long, if memory is not short,
        std::chrono::microseconds flush_interval = std::chrono::seconds{10};
        /// and if it is of more than 10,000 objects, for so long to twice that.
        std::chrono::microseconds flush_interval_of_many = std::chrono::seconds{60};
        /// A call of flush() ends after about so long, if there is more to do.
        std::chrono::microseconds flush_at_most = std::chrono::hours{1};
        /// An object of which so many events come in that time keeps its cells in memory, while
        /// there is room: below it they are read when they are written.
        std::size_t busy_at_least = 128;
        SipKey secret = {};  ///< Places objects in memory; nothing stored depends on it.
        CellTables tables = live_tables;
        CellOwners* owners = nullptr;  ///< Who counts which lane; null: all are counted here.
    };

    struct Figures {
        std::size_t objects = 0;       ///< In memory.
        std::size_t bytes = 0;         ///< That they take.
        std::size_t waiting = 0;       ///< Events that are in no cell yet.
        std::size_t unsaved = 0;       ///< Objects with changes that are not durable.
        std::uint64_t rows_asked = 0;  ///< Looked for in the store, to be counted on.
        std::uint64_t rows_read = 0;   ///< Of those, that were there.
        std::uint64_t rows_written = 0;
        std::uint64_t evicted = 0;  ///< Busy objects that are busy no more.
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

    /// To be called before events are applied. `overloaded`: memory is full of what is not durable.
    /// Waits for the store then: for a thread that may.
    Result<void> wait_for_room();

    /// Counts events of a lane. Each is counted once: what a row includes already, as it says when
    /// the log is read again, is passed over; so the events of a lane must come in their order.
    /// Never waits.
    void apply(std::size_t lane, std::span<const Fact> facts);

    /// Writes what waits, if something has waited for `flush_interval` or memory is short. What the
    /// store has no room for stays for the next time. Waits for reads.
    Result<void> flush();

    /// Submits rows of all that changed and waits until they are durable. The error of the store
    /// otherwise; `corrupt` if a row is damaged, and all others are written then.
    Result<void> flush_all();

    /// Takes events of a lane that are about to leave the log into the expired tables: what of all
    /// counts will follow from no record any more. As of apply(), in the order of the lane; once
    /// they are flushed or dropped it may be told the same again, which counts once. Changes
    /// nothing else. Blocks on the store when they are many. By one thread, as the two below.
    Result<void> expire(std::size_t lane, std::span<const Fact> facts);

    /// They are durable. When it fails they are dropped, and have to be told again.
    Result<void> flush_expired();

    void drop_expired() { expired_.reset(); }

    /// From here on the log has to be read again after a restart: the lowest offset of the lane
    /// that is not in some durable row; if there is none, the end of what was applied since the
    /// start, 0 if that is nothing. The highest that was ever answered holds.
    std::uint64_t checkpoint(std::size_t lane);

    /// The same where something is not stored; absent: all that was applied is.
    std::optional<std::uint64_t> first_unsaved(std::size_t lane);

    /// Forgets all that is in memory: it depended on writes that were lost. Nothing of it is
    /// submitted any more once this has returned.
    void drop_all();

    /// The same of one lane.
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
    /// a flush_interval. Blocks on the store. Cost: 64 short reads for each class up to the
    /// largest, once a minute for all 32, and two for each object that has to be looked at, of
    /// which there are at most 1,000 and a page. `cancelled` soon after `stop` is asked to.
    Result<Ranking> top(
        std::string_view action, RankBy by, std::size_t limit, const std::stop_token& stop = {}
    );

    /// The same of what came in a window until now. By people its days are whole UTC days, so that
    /// it begins with the first of them; by views people are not known. Blocks; cost: as
    /// rankings::popular(), and for each object that is looked at the rows of its days.
    Result<Ranking> top_of_window(
        std::string_view action,
        RankBy by,
        const rankings::Window& window,
        std::size_t limit,
        const std::stop_token& stop = {}
    );

    /// What happened to each of several objects of a few lanes, in their order; query.object is not
    /// looked at. As report(), but each owner is asked once.
    Result<std::vector<Report>> reports(
        std::span<const LaneObject> objects, ReportQuery query, const std::stop_token& stop = {}
    );

    Figures figures();

    /// What a lane takes in memory as it is booked, and counted anew.
    runtime::AccountAudit audit(std::size_t lane) { return lanes_.cells.audit(lane); }

private:
    /// What reports are made of beside rows.
    struct Gathered {
        std::vector<CellCopies> of_asked;
        Standing standing;
    };

    Gathered gather(std::span<const CellsAsked> asked);
    Result<Report> report_of(
        std::size_t first_lane, std::size_t end_lane, const ReportQuery& query
    );

    std::size_t hash_of(std::string_view action, std::string_view object) const {
        return LaneCells::hash_of(options_.secret, action, object);
    }

    bool is_full() const { return lanes_.cells.bytes() > 2 * memory_->bytes(); }

    storage::Store* store_;
    const std::uint64_t log_id_;
    const std::uint16_t sketch_key_;
    const Clock* clock_;
    const Options options_;
    runtime::MemoryShare own_memory_;
    runtime::MemoryShare* memory_;
    ViewLanes lanes_;
    Writer writer_;
    HighestClasses highest_classes_;
    std::unique_ptr<Views> expired_;  ///< What expire() was told; null: nothing since.
};

}  // namespace footfall::views
