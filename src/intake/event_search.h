#pragma once

#include "events/verdict.h"
#include "foundation/result.h"
#include "intake/lane_judge.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::intake {

/// An event in a log, with what was decided.
struct FoundEvent {
    journal::LogId log = 0;
    std::uint32_t lane = 0;
    std::uint64_t offset = 0;
    events::JudgedEvent judged;
};

/// The event of this id, also from before the deployment moved: its sender's, or the one that its
/// position gives it (position_id). Of an
/// id that is used for several objects `object` chooses; without it the answer is `conflict`, which
/// names them. Waits.
Result<std::optional<FoundEvent>> find_event(
    const Context& context, std::string_view id, std::optional<std::string_view> object
);

/// The latest events of an object, or of all, the latest first. Of an object at most the last
/// 10,000 records of its lane are looked through; of all as many of each lane as are wanted.
/// `events_max` is above 0; at most twice as many are held at a time. `end_of`: where a lane ends.
/// Waits.
Result<std::vector<FoundEvent>> latest_events(
    const Context& context,
    const std::function<std::uint64_t(std::uint32_t)>& end_of,
    std::optional<std::string_view> object,
    std::size_t events_max
);

/// Events that came since.
struct EventsSince {
    std::vector<FoundEvent> events;  ///< In the order of the lane.
    std::uint64_t next = 0;          ///< Records before it were looked at.
};

/// The events of an object among the lane's records from `from` on, as far as they are durable; of
/// at most the last 10,000. Waits.
Result<EventsSince> events_since(
    const Context& context,
    std::uint32_t lane,
    std::uint64_t from,
    std::uint64_t end,
    std::string_view object
);

}  // namespace footfall::intake
