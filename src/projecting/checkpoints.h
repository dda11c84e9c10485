#pragma once

#include "foundation/result.h"
#include "journal/log_reader.h"
#include "storage/store.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace footfall::projecting {

/// A place in a lane of the judged log: behind all records before `offset`. Events of the log of
/// events before `source` are among those.
struct Mark {
    std::uint64_t offset = 0;
    std::uint64_t source = 0;

    friend bool operator==(const Mark&, const Mark&) = default;
};

/// What the store says of one projection: a mark for each lane of the log; absent: it was never
/// told anything of the lane. Waits.
Result<std::vector<std::optional<Mark>>> read_checkpoints(
    storage::Store& store, const journal::LogReader& log, std::string_view projection
);

/// The marks at which a lane may be read again, as it is told: those of which it is known which
/// events of the log of events stand before them. Bounded by what is not stored yet.
class LaneMarks {
public:
    /// Only this one.
    void begin_at(Mark mark);

    /// The lane was told as far as `end`, which is not before what was told earlier.
    void told(Mark end);

    /// The last one that is not behind `offset`; absent: all are.
    std::optional<Mark> at(std::uint64_t offset) const;

    /// Nobody asks for one before this offset any more.
    void forget_before(std::uint64_t offset);

private:
    /// From `first` to `last` no event of the log of events was met: each offset is a mark, with
    /// the same source.
    struct Stretch {
        std::uint64_t last;
        std::uint64_t source;
    };

    std::map<std::uint64_t, Stretch> stretches_;  ///< By their first offset.
};

}  // namespace footfall::projecting
