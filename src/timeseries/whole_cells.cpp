#include "timeseries/whole_cells.h"

#include "timeseries/cell_rows.h"
#include "timeseries/point_rows.h"

#include <algorithm>

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

}  // namespace

Result<std::vector<series::Cell>> read_whole_cells(
    storage::Store& store,
    std::int64_t series,
    std::chrono::seconds step,
    std::int64_t from,
    std::int64_t until,
    std::optional<series::Figure> wanted,
    std::int64_t now
) {
    TRY(std::vector<series::Cell> cells,
        read_cell_rows(store, series, step, from, until, wanted, now));
    const auto sealed = std::chrono::floor<hours>(microseconds{now} - sealed_after);
    // Of points of the future there may be cells, while hours before them have none yet.
    const auto behind = std::ranges::lower_bound(cells, millis(sealed), {}, &series::Cell::time);
    hours open = sealed - looked_back;
    if (behind != cells.begin()) {
        const milliseconds newest{std::prev(behind)->time};
        open = std::max<hours>(open, std::chrono::floor<hours>(newest) + hours{1});
    }
    cells.erase(
        std::ranges::lower_bound(cells, millis(open), {}, &series::Cell::time), cells.end()
    );
    TRY(const std::vector<series::Point> points,
        read_point_rows(store, series, std::max(from, millis(open)), until, now));
    const std::vector<series::Cell> made = series::cells_of(points, millis(step));
    cells.insert(cells.end(), made.begin(), made.end());
    return cells;
}

}  // namespace footfall::timeseries
