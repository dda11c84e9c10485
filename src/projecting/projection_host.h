#pragma once

#include "foundation/result.h"
#include "journal/log.h"
#include "projecting/checkpoints.h"
#include "projecting/projection.h"
#include "runtime/lanes.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::projecting {

/// A control record of a lane.
struct ControlRecord {
    std::uint64_t offset = 0;
    events::Control control;
};

/// A part of a lane, as projections are told it. What repeats an event that stands before it is not
/// among the events (events::JudgedEvent::source).
struct Told {
    std::span<const JudgedRecord> events = {};     ///< In the order of the lane.
    std::span<const ControlRecord> controls = {};  ///< In the order of the lane.
    Mark end;                                      ///< Behind all of it.
};

/// All projections of a process: tells each the records that it has not stored, and remembers how
/// far each has stored them, by log, lane and projection. One that is new is told a lane from where
/// the log begins, and those that were there before are not told twice.
///
/// A lane is open while this process reads it: open() says from where, and tell() is called with
/// all that stands there, in order. What records say of the log is durable by the time that is
/// written (write_checkpoints). A start, or a loss, opens lanes anew.
///
/// State: of each open lane how far it was told, and its checkpoints as they were written, under
/// the lane's mutex. Nothing waits under it. Thread-safe: what is said of one lane at a time, and
/// flush() and write_checkpoints() by one thread at a time. Everything given outlives it.
class ProjectionHost {
public:
    struct Registered {
        std::string name;  ///< Stands in the checkpoints: never changed.
        Projection* projection = nullptr;
    };

    ProjectionHost(
        storage::Store& store, const journal::Log& log, std::vector<Registered> projections
    );

    /// Opens these lanes at their checkpoints, once all projections have begun them
    /// (Projection::begin()), and answers from where each is to be told. Waits; while nobody tells
    /// of them.
    Result<std::vector<Mark>> open(std::span<const std::uint32_t> lanes);

    /// Where the lane's next record stands that was not told: the first one that some projection
    /// lacks, and from then on the end of what was told.
    Mark next(std::uint32_t lane);

    /// Projection::wait_for_room() of all.
    Result<void> wait_for_room();

    /// Tells a part of the lane that begins at next(), or before it: what was told is not told
    /// again. Nothing while the lane is not open. Never waits.
    void tell(std::uint32_t lane, const Told& told);

    /// Has all projections write what is due, or everything. Waits.
    Result<void> flush(bool all);

    /// Writes the checkpoints that moved. `durable_before`: of each lane, records before this are
    /// durable in the log. Answers when the checkpoints are.
    Result<storage::CommitPosition> write_checkpoints(std::span<const std::uint64_t> durable_before
    );

    /// What is in memory alone of the lane: all that was told before this is in rows of all
    /// projections. Now, if nothing is.
    Instant stored_until(std::uint32_t lane);

    /// Projection::answer_all() of the projection of this name; `invalid_input` if there is none.
    Result<std::vector<std::string>> answer(
        std::string_view projection, std::span<const AskedLane> asked, std::string_view of_all
    );

    /// These lanes are another process's from now on.
    void close(std::span<const std::uint32_t> lanes);

    /// Writes were lost: what is in memory is forgotten, and no lane is open.
    void drop();

    /// Of each lane, records before this are stored by all projections, durably. Waits.
    Result<std::vector<std::uint64_t>> stored_by_all();

    /// Events of a lane are about to leave the log: Projection::expire() of all, and so below.
    Result<void> expire(std::uint32_t lane, std::span<const JudgedRecord> records);
    Result<void> flush_expired();
    void drop_expired();

private:
    struct Lane {
        bool open = false;
        Mark next;                  ///< As next().
        LaneMarks marks;            ///< Where it may be read again.
        std::vector<Mark> written;  ///< The checkpoint of each projection.
    };

    /// A checkpoint that moved.
    struct Moved {
        std::uint32_t lane;
        std::size_t projection;
        Mark to;
    };

    void add_moved(std::uint32_t lane, std::uint64_t durable_before, std::vector<Moved>& moved);
    std::optional<Mark> moved_to(
        std::uint32_t lane, const Lane& state, std::size_t projection, std::uint64_t durable_before
    );
    void note_written(const Moved& moved);

    storage::Store* store_;
    const journal::Log* log_;
    const std::vector<Registered> projections_;
    runtime::Lanes<Lane> lanes_;
};

}  // namespace footfall::projecting
