#pragma once

#include "events/verdict.h"

#include <algorithm>
#include <cstdint>

namespace footfall::events {

/// Which records of a lane are another of an event that stands before them (JudgedEvent::source).
/// Asked for each record in the order of the lane.
class SourceOrder {
public:
    /// Events before this one are among the records that were read before.
    void begin_at(std::uint64_t next) { next_ = std::max(next_, next); }

    bool repeats(const JudgedEvent& judged) {
        if (!judged.source) {
            return false;
        }
        const bool repeated = *judged.source < next_;
        begin_at(*judged.source + 1);
        return repeated;
    }

    /// Events before this one were among the records.
    std::uint64_t next() const { return next_; }

private:
    std::uint64_t next_ = 0;
};

}  // namespace footfall::events
