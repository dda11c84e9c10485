#pragma once

#include "events/verdict.h"
#include "foundation/clock.h"
#include "foundation/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::projecting {

/// A judged event of the log, with what was made of it already.
struct JudgedRecord {
    std::uint64_t offset = 0;
    const events::JudgedEvent* judged = nullptr;
    std::optional<std::uint64_t> person;  ///< The keyed hash of who did it; absent: nobody knows.
};

/// A lane, and from which of its records on a projection is told of it.
struct LaneStart {
    std::uint32_t lane = 0;
    std::uint64_t offset = 0;
};

/// What another process asks of a lane that is counted here. Borrowed bytes.
struct AskedLane {
    std::uint32_t lane = 0;
    std::string_view question;
};

/// A reader of the judged log that keeps the tables of one job. Its state is a pure function of the
/// log: a record that it has in its tables already changes nothing.
///
/// All records of a lane come in their order, by one thread at a time. ProjectionHost sees to that,
/// and to which records: from the first that is not stored.
class Projection {
public:
    Projection() = default;
    Projection(const Projection&) = delete;
    Projection& operator=(const Projection&) = delete;
    virtual ~Projection() = default;

    /// These lanes are about to be told, from their checkpoints on: reads what it needs of them to
    /// take records in. What it stored may be ahead of a checkpoint: records that stand before it
    /// are told again. Nothing is told of these lanes meanwhile. May wait; on failure none is told,
    /// and it is called again.
    virtual Result<void> begin(std::span<const LaneStart> /*lanes*/) { return {}; }

    /// To be called before records are taken in, without a mutex. `overloaded`: its memory is full
    /// of what is not durable; try again later. May wait.
    virtual Result<void> wait_for_room() = 0;

    /// Takes in events of a lane. Under the lane's mutex. Never waits, and reads nothing: what
    /// changes is merged with its row when that is written.
    virtual void apply(std::uint32_t lane, std::span<const JudgedRecord> records) = 0;

    /// The same of a control record, which holds for the events behind it.
    virtual void control(
        std::uint32_t lane, std::uint64_t offset, const events::Control& control
    ) = 0;

    /// Writes what is due, or (`all`) everything that changed. Waits.
    virtual Result<void> flush(bool all) = 0;

    /// The first record of the lane of which something is not durably in tables yet, or one before
    /// it; absent: of all that was told, nothing is missing. Under the lane's mutex.
    virtual std::optional<std::uint64_t> unsaved(std::uint32_t lane) = 0;

    /// What is in memory alone: all that was applied of the lane before this is in rows. Now, if
    /// nothing is. Thread-safe.
    virtual Instant stored_until(std::uint32_t lane) = 0;

    /// What another process asks of a lane that is counted here, about what rows may not say yet
    /// (Owners); bytes of its own kind. `invalid_input`: it is no question, or the projection
    /// answers from rows alone. Thread-safe, never waits.
    virtual Result<std::string> answer(std::uint32_t /*lane*/, std::string_view /*question*/) {
        return fail(ErrorKind::invalid_input, "this projection answers from its rows alone");
    }

    /// The same of some lanes at once, in their order; `of_all`: what is asked of each of them
    /// beside, if anything.
    virtual Result<std::vector<std::string>> answer_all(
        std::span<const AskedLane> asked, std::string_view /*of_all*/
    ) {
        std::vector<std::string> answers;
        answers.reserve(asked.size());
        for (const AskedLane& each : asked) {
            TRY(answers.emplace_back(), answer(each.lane, each.question));
        }
        return answers;
    }

    /// Writes were lost: forgets what is in memory, and writes nothing more of it. What is not
    /// stored comes again.
    virtual void drop() = 0;

    /// The same of one lane, which another process has from now on.
    virtual void drop_lane(std::uint32_t lane) = 0;

    /// Events of a lane are about to leave the log: keeps of them what else would follow from no
    /// record any more. In the order of the lane; those it was told of before change nothing. What
    /// it keeps has to be durable when flush_expired() returns. May wait. By one thread, as those
    /// below.
    virtual Result<void> expire(std::uint32_t lane, std::span<const JudgedRecord> records) = 0;

    /// All that expire() was told since is durable. Waits.
    virtual Result<void> flush_expired() { return {}; }

    /// What is in memory of it is forgotten: these events stay in the log, and come again.
    virtual void drop_expired() {}
};

}  // namespace footfall::projecting
