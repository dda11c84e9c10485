#pragma once

#include "foundation/clock.h"
#include "runtime/lanes.h"

#include <chrono>
#include <cstdint>

namespace footfall::projecting {

/// Whether a lane is to write what has changed since `since`: once an interval, each lane at a
/// moment of its own within it. Lanes whose rows are large must not write them together, since then
/// every writer waits until the store has taken them all. What changed later than now, by a clock
/// that was ahead, is due.
inline bool is_due(
    std::uint32_t lane, Instant since, Instant now, std::chrono::microseconds interval
) {
    if (since > now || interval.count() <= 0) {
        return true;
    }
    const std::chrono::microseconds phase =
        interval * lane / static_cast<std::int64_t>(runtime::lane_count);
    const auto turn_at = [&](Instant instant) {
        return (instant.time_since_epoch() - phase) / interval;
    };
    return turn_at(since) < turn_at(now);
}

}  // namespace footfall::projecting
