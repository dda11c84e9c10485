#pragma once

#include "events/verdict.h"
#include "foundation/result.h"
#include "intake/arrivals.h"

#include <cstdint>
#include <span>

namespace footfall::intake {

/// What the log of events gave for a lane follows what was judged of it: no event between `next`
/// and the last of `events` is missing. Some may be there that were judged already. `unavailable`
/// otherwise. O(events).
Result<void> check_none_missing(
    std::uint32_t lane, std::uint64_t next, std::span<const events::JudgedEvent> events
);

/// The same of one record of the log of events.
Result<void> check_none_missing(std::uint32_t lane, std::uint64_t next, std::uint64_t source);

/// All events are of objects of this lane. Otherwise `corrupt`: they are of another deployment.
Result<void> check_all_of_lane(std::uint32_t lane, const Arrivals& arrivals);

}  // namespace footfall::intake
