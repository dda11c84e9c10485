#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::segment_reports {

/// What was counted on a day is kept for so long.
inline constexpr std::chrono::days kept_days{400};

/// What is to be counted each day. A plain value.
struct Report {
    std::string name;                   ///< check_plain_name() holds.
    std::vector<std::string> segments;  ///< In the order in which they are shown.
    std::int64_t minute = 0;            ///< Of the day, UTC: 0 to 1439.
    Instant created{};
};

/// What a report has of a day. A plain value.
struct ReportDay {
    std::int32_t day = 0;                ///< Since 1970-01-01.
    std::vector<std::string> segments;   ///< Those of the report when it was counted.
    std::vector<std::uint64_t> sizes;    ///< People of each.
    std::vector<std::uint64_t> pairs;    ///< People of each two, as segments::Overlaps has them.
    std::optional<std::string> trouble;  ///< Why nothing was counted; then both are empty.
    Instant as_of{};
    std::uint32_t one_of = 1;  ///< Of so many people one was looked at: as of segments::People.
};

/// "06:30"; `invalid_input` if it is no time of a day.
Result<std::int64_t> minute_of(std::string_view text);
std::string time_of(std::int64_t minute);

/// The last day whose time has come, of those on which the report was there at that time. Absent:
/// none has yet.
std::optional<std::int32_t> due_day(const Report& report, Instant now);

}  // namespace footfall::segment_reports
