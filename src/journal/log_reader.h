#pragma once

#include "foundation/result.h"
#include "journal/records.h"

#include <cstddef>
#include <cstdint>

namespace footfall::journal {

/// Which log: drawn when it is created. Together with a lane it names who wrote a row that sums.
using LogId = std::uint64_t;

/// A place in a log: records of a lane are counted from 0.
struct Position {
    std::uint32_t lane = 0;
    std::uint64_t offset = 0;

    friend auto operator<=>(const Position&, const Position&) = default;
};

/// How much a read may answer: what comes first ends it, but there is always one record if there is
/// any.
struct ReadLimit {
    std::size_t records = 10'000;
    std::size_t bytes = 4 << 20;
};

/// What was written to a log, as it can be read: by its owner, or long after it moved elsewhere.
/// Thread-safe. Failures as of Log.
class LogReader {
public:
    LogReader() = default;
    LogReader(const LogReader&) = delete;
    LogReader& operator=(const LogReader&) = delete;
    virtual ~LogReader() = default;

    virtual LogId id() const = 0;
    virtual std::uint32_t lanes() const = 0;

    /// The offset of the lane's first record that is still there. Thread-safe.
    virtual std::uint64_t begin(std::uint32_t lane) const = 0;

    /// The lane's records from `from` on, or from the first that is kept if that is later, as far
    /// as they are durable; none: that is its end. Waits: never under a mutex or from an io thread.
    virtual Result<Records> read(std::uint32_t lane, std::uint64_t from, ReadLimit limit) = 0;

    /// Nobody reads on in the lane for now: gives back the memory of what was read ahead, if there
    /// is any. The lane can be read as before; where records were read ahead the next read costs
    /// more.
    virtual void rest(std::uint32_t /*lane*/) {}
};

}  // namespace footfall::journal
