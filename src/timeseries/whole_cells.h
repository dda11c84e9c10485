#pragma once

#include "foundation/result.h"
#include "series/cell.h"
#include "storage/store.h"

#include <chrono>
#include <cstdint>
#include <optional>
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
    std::optional<series::Figure> wanted,
    std::int64_t now
);

}  // namespace footfall::timeseries
