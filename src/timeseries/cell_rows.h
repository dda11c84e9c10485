#pragma once

#include "foundation/result.h"
#include "series/cell.h"
#include "series/point.h"
#include "storage/rows.h"
#include "storage/store.h"

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace footfall::timeseries {

/// By which rows of a series stand in the order of writing.
struct RowNumber {
    std::int64_t written = 0;
    std::int64_t writer = 0;

    friend auto operator<=>(const RowNumber&, const RowNumber&) = default;
};

/// In the column `hour` of point_cells, of a row that has cells of several hours.
inline constexpr std::int64_t several_hours = 0;

/// Days of which the rows of cells of such a step lie in one partition: so many that it has some
/// thousand cells.
std::chrono::days period_of(std::chrono::seconds step);

/// The first day of the period that has this hour in it.
std::chrono::days period_with(std::chrono::hours hour, std::chrono::seconds step);

/// Rows of one partition of point_cells, whose cells are to be put together: each as a Cell, or
/// one figure of it as a Point.
template <class Each>
class CellRows {
public:
    /// Takes a row of a page with all columns. `decode(bytes, cells)` adds what it has, and fails
    /// if that is damaged.
    template <class Decode>
    Result<void> add(const storage::Rows& rows, std::size_t row, const Decode& decode) {
        Row added{
            .hour = rows.at(row, 3).number(),
            .number = {.written = rows.at(row, 4).number(), .writer = rows.at(row, 5).number()},
            .cells = {}
        };
        TRY_VOID(decode(rows.at(row, 6).text(), added.cells));
        rows_.push_back(std::move(added));
        return {};
    }

    bool empty() const { return rows_.empty(); }

    /// The cells that stand, ascending. The rows are gone.
    std::vector<Each> take();

private:
    struct Row {
        std::int64_t hour;
        RowNumber number;
        std::vector<Each> cells;
    };

    std::vector<Row> rows_;
};

/// The cells of a series from `from` to before `until`, in milliseconds, as far as its hours were
/// sealed; of rows that expire after `now`. Blocks.
Result<std::vector<series::Cell>> read_cell_rows(
    storage::Store& store,
    std::int64_t series,
    std::chrono::seconds step,
    std::int64_t from,
    std::int64_t until,
    std::int64_t now
);

/// The same of one figure of each, which is put in place of what `points` has.
Result<void> read_figure_rows(
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
