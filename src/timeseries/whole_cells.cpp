#include "timeseries/whole_cells.h"

#include "timeseries/cell_rows.h"
#include "timeseries/point_rows.h"

#include <algorithm>
#include <iterator>

namespace footfall::timeseries {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;

/// An hour is sealed ten minutes after it is over, where nothing keeps from it by the next look,
/// which is ten minutes later at most.
constexpr std::chrono::minutes sealed_after{30};
/// Where hours are sealed later than that.
constexpr std::chrono::days looked_back{1};

std::int64_t millis(milliseconds span) {
    return span.count();
}

/// From when on cells are made of points: `cells` are those of sealed hours.
template <class Each>
hours open_from(const std::vector<Each>& cells, std::int64_t now) {
    const auto sealed = std::chrono::floor<hours>(microseconds{now} - sealed_after);
    // Of points of the future there may be cells, while hours before them have none yet.
    const auto behind = std::ranges::lower_bound(cells, millis(sealed), {}, &Each::time);
    const hours open = sealed - looked_back;
    if (behind == cells.begin()) {
        return open;
    }
    const milliseconds newest{std::prev(behind)->time};
    return std::max<hours>(open, std::chrono::floor<hours>(newest) + hours{1});
}

/// Leaves the cells of sealed hours; answers those that are made of the points behind them.
template <class Each>
Result<std::vector<series::Cell>> made_of_points(
    storage::Store& store,
    std::int64_t series,
    std::chrono::seconds step,
    std::int64_t from,
    std::int64_t until,
    std::int64_t now,
    std::vector<Each>& cells
) {
    const std::int64_t open = millis(open_from(cells, now));
    cells.erase(std::ranges::lower_bound(cells, open, {}, &Each::time), cells.end());
    std::vector<series::Point> points;
    TRY_VOID(read_point_rows(store, series, std::max(from, open), until, now, points));
    return series::cells_of(points, millis(step));
}

}  // namespace

Result<std::vector<series::Cell>> read_whole_cells(
    storage::Store& store,
    std::int64_t series,
    std::chrono::seconds step,
    std::int64_t from,
    std::int64_t until,
    std::int64_t now
) {
    TRY(std::vector<series::Cell> cells, read_cell_rows(store, series, step, from, until, now));
    TRY(const std::vector<series::Cell> made,
        made_of_points(store, series, step, from, until, now, cells));
    cells.insert(cells.end(), made.begin(), made.end());
    return cells;
}

Result<void> read_whole_figure(
    storage::Store& store,
    std::int64_t series,
    std::chrono::seconds step,
    std::int64_t from,
    std::int64_t until,
    series::Figure figure,
    std::int64_t now,
    std::vector<series::Point>& points
) {
    TRY_VOID(read_figure_rows(store, series, step, from, until, figure, now, points));
    TRY(const std::vector<series::Cell> made,
        made_of_points(store, series, step, from, until, now, points));
    for (const series::Cell& cell : made) {
        points.push_back({.time = cell.time, .value = figure_of(cell, figure)});
    }
    return {};
}

}  // namespace footfall::timeseries
