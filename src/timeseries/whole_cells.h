#pragma once

#include "foundation/result.h"
#include "series/cell.h"
#include "series/point.h"
#include "storage/store.h"

#include <chrono>
#include <cstdint>
#include <vector>

namespace footfall::timeseries {

/// The cells of a series from `from` to before `until`, in milliseconds: those that are stored, and
/// behind them those of the points of hours that are not sealed yet, so that a graph has no hole at
/// its newer end. These are the hours behind the newest that has cells, of the last day at most,
/// and all that may not have been sealed in time. `now` is in microseconds. Blocks.
Result<std::vector<series::Cell>> read_whole_cells(
    storage::Store& store,
    std::int64_t series,
    std::chrono::seconds step,
    std::int64_t from,
    std::int64_t until,
    std::int64_t now
);

/// The same of one figure of each, which is put in place of what `points` has.
Result<void> read_whole_figure(
    storage::Store& store,
    std::int64_t series,
    std::chrono::seconds step,
    std::int64_t from,
    std::int64_t until,
    series::Figure figure,
    std::int64_t now,
    std::vector<series::Point>& points
);

}  // namespace footfall::timeseries
