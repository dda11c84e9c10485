#include "intake/lane_events.h"

#include <fmt/format.h>

#include <algorithm>

namespace footfall::intake {

Result<void> check_none_missing(std::uint32_t lane, std::uint64_t next, std::uint64_t source) {
    if (source <= next) {
        return {};
    }
    return fail(
        ErrorKind::unavailable,
        fmt::format("lane {}: events from {} to {} are missing", lane, next, source)
    );
}

Result<void> check_none_missing(
    std::uint32_t lane, std::uint64_t next, std::span<const events::JudgedEvent> events
) {
    for (const events::JudgedEvent& each : events) {
        const std::uint64_t source = each.source.value_or(0);
        TRY_VOID(check_none_missing(lane, next, source));
        next = std::max(next, source + 1);
    }
    return {};
}

Result<void> check_all_of_lane(std::uint32_t lane, const Arrivals& arrivals) {
    return arrivals.for_each_lane([&](std::uint32_t of_object, auto) -> Result<void> {
        if (of_object == lane) {
            return {};
        }
        return fail(
            ErrorKind::corrupt,
            fmt::format(
                "lane {} of the log of events has an event of lane {}: is it of another "
                "deployment?",
                lane,
                of_object
            )
        );
    });
}

}  // namespace footfall::intake
