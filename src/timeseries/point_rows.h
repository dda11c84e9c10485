#pragma once

#include "foundation/result.h"
#include "series/point.h"
#include "storage/store.h"

#include <cstdint>
#include <vector>

namespace footfall::timeseries {

/// More points of one series are read by nobody at once.
inline constexpr std::size_t points_read_max = 4'000'000;

/// Puts the points of a series from `from` to before `until`, in milliseconds, in place of what
/// `points` has, settled; of rows that expire after `now`, in microseconds. `invalid_input`: they
/// are too many. Blocks.
Result<void> read_point_rows(
    storage::Store& store,
    std::int64_t series,
    std::int64_t from,
    std::int64_t until,
    std::int64_t now,
    std::vector<series::Point>& points
);

}  // namespace footfall::timeseries
