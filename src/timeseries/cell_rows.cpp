#include "timeseries/cell_rows.h"

#include "storage/blocking.h"
#include "timeseries/schema.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace footfall::timeseries {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

using Cells = std::vector<series::Cell>;

/// Puts `next` in place of those that `cells` has from its first to its last, or of that hour: all
/// of them are ascending.
void replace(Cells& cells, const Cells& next, std::int64_t from, std::int64_t until) {
    const auto first = std::ranges::lower_bound(cells, from, {}, &series::Cell::time);
    const auto last = std::ranges::lower_bound(first, cells.end(), until, {}, &series::Cell::time);
    cells.insert(cells.erase(first, last), next.begin(), next.end());
}

/// Of cells of a time those of `next` stand.
void merge(Cells& cells, const Cells& next) {
    Cells all;
    all.reserve(cells.size() + next.size());
    // Of equal ones that of the first range comes first.
    std::ranges::merge(
        next, cells, std::back_inserter(all), {}, &series::Cell::time, &series::Cell::time
    );
    const auto repeated = std::ranges::unique(all, {}, &series::Cell::time);
    all.erase(repeated.begin(), repeated.end());
    cells = std::move(all);
}

}  // namespace

days period_of(seconds step) {
    if (step < std::chrono::minutes{5}) {
        return days{1};
    }
    return step < hours{1} ? days{4} : days{32};
}

days period_with(hours hour, seconds step) {
    const auto day = std::chrono::floor<days>(hour);
    const auto into = day % period_of(step);
    return day - into - (into < days{0} ? period_of(step) : days{0});
}

Result<void> CellRows::add(const storage::Rows& rows, std::size_t row) {
    Row added{
        .hour = rows.at(row, 3).number(),
        .number = {.written = rows.at(row, 4).number(), .writer = rows.at(row, 5).number()},
        .cells = {}
    };
    TRY_VOID(series::decode_cells(rows.at(row, 6).text(), added.cells, wanted_));
    rows_.push_back(std::move(added));
    return {};
}

Cells CellRows::take() {
    // Of one number, the row of several hours was made of the other ones.
    std::ranges::sort(rows_, {}, [](const Row& row) { return std::tie(row.number, row.hour); });
    Cells cells;
    for (Row& row : rows_) {
        if (cells.empty()) {
            cells = std::move(row.cells);
        } else if (row.hour == several_hours) {
            merge(cells, row.cells);
        } else {
            const std::int64_t begins = row.hour / micros(milliseconds{1});
            replace(cells, row.cells, begins, begins + milliseconds{hours{1}}.count());
        }
    }
    rows_.clear();
    return cells;
}

Result<Cells> read_cell_rows(
    storage::Store& store,
    std::int64_t series,
    seconds step,
    std::int64_t from,
    std::int64_t until,
    std::optional<series::Figure> wanted,
    std::int64_t now
) {
    std::vector<storage::RangeQuery> queries;
    const auto hour_of = [](std::int64_t time) {
        return std::chrono::floor<hours>(milliseconds{time});
    };
    if (from < until) {
        const days last = period_with(hour_of(until - 1), step);
        for (days period = period_with(hour_of(from), step); period <= last;
             period += period_of(step)) {
            queries.push_back(
                {.table = &point_cells_table,
                 .partition = {series, std::int64_t{period.count()}, std::int64_t{step.count()}}}
            );
        }
    }
    Cells cells;
    CellRows rows{wanted};
    std::size_t period = 0;
    const auto take = [&] {
        const Cells next = rows.take();
        cells.insert(cells.end(), next.begin(), next.end());
    };
    const auto add = [&](std::size_t at, const storage::Rows& page) -> Result<void> {
        if (std::exchange(period, at) != at) {
            take();
        }
        for (std::size_t row = 0; row < page.size(); ++row) {
            if (page.at(row, 7).number() > now) {
                TRY_VOID(rows.add(page, row));
            }
        }
        return {};
    };
    TRY_VOID(storage::read_each(store, std::move(queries), add));
    take();
    std::erase_if(cells, [=](const series::Cell& cell) {
        return cell.time < from || cell.time >= until;
    });
    return cells;
}

}  // namespace footfall::timeseries
