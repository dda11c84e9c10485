#pragma once

#include "events/verdict.h"
#include "foundation/result.h"

#include <cstdint>
#include <optional>
#include <span>

namespace footfall::intake {

/// A record of the judged log, with what was made of it already.
struct JudgedRecord {
    std::uint64_t offset = 0;
    const events::JudgedEvent* judged = nullptr;
    std::optional<std::uint64_t> person;  ///< EventKeys.
};

/// A reader of the judged log that keeps the tables of one job. Its state is a pure function of the
/// log: a record that it has in its tables already changes nothing.
class Projection {
public:
    Projection() = default;
    Projection(const Projection&) = delete;
    Projection& operator=(const Projection&) = delete;
    virtual ~Projection() = default;

    /// To be called before records are taken in. `overloaded`: its memory is full of what is not
    /// durable; try again later. May wait.
    virtual Result<void> wait_for_room() = 0;

    /// Takes in records. With the lane's mutex held, in the order of the lane. Never waits, and
    /// reads nothing: what changes is merged with its row when that is written.
    virtual void apply(std::uint32_t lane, std::span<const JudgedRecord> records) = 0;

    /// Records of a lane are about to leave the log: keeps of them, durably, what else would follow
    /// from no record any more. In the order of the lane; those it was told of before change
    /// nothing. Waits.
    virtual Result<void> expire(std::uint32_t lane, std::span<const JudgedRecord> records) = 0;

    /// Writes what is due, or (`all`) everything that changed. Waits.
    virtual Result<void> flush(bool all) = 0;

    /// The lane's records before this are in tables, durably; or less, never more. With the lane's
    /// mutex held.
    virtual std::uint64_t checkpoint(std::uint32_t lane) = 0;

    /// Records were lost: forgets what is in memory, and writes nothing more of it.
    virtual void drop() = 0;

    /// The same of one lane, which another process has from now on.
    virtual void drop_lane(std::uint32_t lane) = 0;
};

}  // namespace footfall::intake
