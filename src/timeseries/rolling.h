#pragma once

#include "foundation/result.h"
#include "series/point.h"
#include "series/retention.h"
#include "storage/batch.h"
#include "storage/store.h"
#include "timeseries/cell_rows.h"

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace footfall::timeseries {

/// An hour of a series with all points that it has.
struct WholeHour {
    std::int64_t series = 0;
    std::int64_t hour = 0;  ///< Microseconds since 1970.
    std::vector<series::Point> points = {};
    RowNumber newest = {};  ///< Of the rows that these are from.
};

/// Makes cells of the points of an hour: all of them anew each time, under the number of the newest
/// row of points, so whoever does it again writes the same row, and whoever knew fewer points one
/// that does not stand. Once there are several rows of hours in a partition they become one, of
/// rows whose numbers no later writing has: so a year of hours is a few rows
/// (docs/decisions/0109-cells.md).
///
/// roll() is one thread's and blocks; the rest is thread-safe.
class Rolling {
public:
    explicit Rolling(storage::Store& store) : store_{&store} {}

    /// Adds to `batch` the cells of each resolution but the first, which is of points.
    /// `settled_before`: what was written before it, in microseconds, was rolled by this thread.
    Result<void> roll(
        WholeHour hour,
        std::span<const series::Resolution> resolutions,
        std::int64_t settled_before,
        std::int64_t now,
        storage::Batch& batch
    );

    /// Cells that were written, each time anew.
    std::uint64_t cells() const { return cells_.load(std::memory_order_relaxed); }

private:
    struct Place;

    Result<void> tidy(
        const Place& place,
        std::int64_t hour,
        RowNumber newest,
        std::int64_t settled_before,
        storage::Batch& batch
    );
    Result<void> pack(const Place& place, std::int64_t settled_before, storage::Batch& batch);

    storage::Store* store_;
    std::atomic<std::uint64_t> cells_ = 0;
};

}  // namespace footfall::timeseries
