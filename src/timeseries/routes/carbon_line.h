#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "timeseries/time_series.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::timeseries::routes {

/// A longer line is refused without a look at it.
inline constexpr std::size_t carbon_line_bytes_max = 4096;

/// Reads a line as Carbon takes it, without its end: "NAME VALUE TIME", in which the time is in
/// seconds since 1970, or "N" or "-1" for now. Absent: it is blank, or its value is NaN, by which
/// senders say that there is none. The name is a part of the line, or stands in `room`.
/// `invalid_input`: why it is none. Pure.
Result<std::optional<PointOf>> read_carbon_line(
    std::string_view line, Instant now, std::string& room
);

}  // namespace footfall::timeseries::routes
