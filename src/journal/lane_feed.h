#pragma once

#include "foundation/result.h"
#include "journal/records.h"

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace footfall::journal {

/// Who reads lanes that come and go. consume() is called for several lanes at once, on several
/// threads, for each lane by one at a time; everything else by one thread, while nobody takes
/// anything.
class LaneReader {
public:
    LaneReader() = default;
    LaneReader(const LaneReader&) = delete;
    LaneReader& operator=(const LaneReader&) = delete;
    virtual ~LaneReader() = default;

    /// These lanes are ours from now on. Answers from where each of them is to be read. Waits.
    virtual Result<std::vector<std::uint64_t>> assigned(std::span<const std::uint32_t> lanes) = 0;

    /// These are ours no more. `lost`: another may have them already, so nothing may be written for
    /// them. Waits.
    virtual void revoked(std::span<const std::uint32_t> lanes, bool lost) = 0;

    /// Records of a lane of ours, in order. After a failure they come again, from next() on. Waits.
    /// Thread-safe for different lanes.
    virtual Result<void> consume(std::uint32_t lane, const Records& records) = 0;

    /// From where a lane of ours is to be read.
    virtual std::uint64_t next(std::uint32_t lane) = 0;

    /// Some times a second, by a thread of its own, also while another call waits. `ours` false:
    /// lanes that were given out may be another's already, and nothing more is to be written for
    /// them. Never waits.
    virtual void confirm(bool /*ours*/) {}

    /// How to go on.
    enum class Next {
        as_before,
        anew,    ///< What was taken may be lost: all lanes are to be read from next() on.
        rejoin,  ///< The lanes may be another's already: they are to be given back as lost.
    };

    /// Between two polls: does what is due. Waits.
    virtual Result<Next> settle() = 0;
};

/// Durable records of lanes that several processes share: each lane is read by one of them. Belongs
/// to one thread, but for lost().
class LaneFeed {
public:
    LaneFeed() = default;
    LaneFeed(const LaneFeed&) = delete;
    LaneFeed& operator=(const LaneFeed&) = delete;
    virtual ~LaneFeed() = default;

    /// Tells `reader` what there is to tell; waits at most so long for something. Answers the first
    /// failure of the reader's, or its own.
    virtual Result<void> poll(LaneReader& reader, std::chrono::milliseconds patience) = 0;

    /// Whether lanes were given out, be it none to us, and all was taken that was in ours then.
    virtual bool caught_up() const = 0;

    /// Whether lanes that were given out may be another's by now. Thread-safe, never waits.
    virtual bool lost() const = 0;

    /// How many records are missing for that, as far as it is known.
    virtual std::uint64_t behind() const = 0;

    /// Reads all lanes of ours anew, from the reader's next() on.
    virtual Result<void> rewind(LaneReader& reader) = 0;

    /// Takes leave of the others, and all lanes from `reader`; as lost ones, if they may be
    /// another's already. Another poll joins again. Idempotent.
    virtual void leave(LaneReader& reader, bool lost) = 0;
};

}  // namespace footfall::journal
