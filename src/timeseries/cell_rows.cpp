#include "timeseries/cell_rows.h"

#include "storage/blocking.h"
#include "timeseries/schema.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <string_view>
#include <tuple>
#include <utility>

namespace footfall::timeseries {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

template <class Each>
using Cells = std::vector<Each>;

/// The part of ascending cells that is from one time to before another.
template <class Each>
std::ranges::subrange<typename Cells<Each>::const_iterator> between(
    const Cells<Each>& cells, std::int64_t from, std::int64_t until
) {
    const auto first = std::ranges::lower_bound(cells, from, {}, &Each::time);
    return {first, std::ranges::lower_bound(first, cells.end(), until, {}, &Each::time)};
}

/// Puts `next` in place of those that `cells` has of an hour: all of them are ascending.
template <class Each>
void replace(Cells<Each>& cells, const Cells<Each>& next, std::int64_t from, std::int64_t until) {
    const auto old = between(cells, from, until);
    cells.insert(cells.erase(old.begin(), old.end()), next.begin(), next.end());
}

/// Of cells of a time those of `next` stand.
template <class Each>
void merge(Cells<Each>& cells, const Cells<Each>& next) {
    Cells<Each> all;
    all.reserve(cells.size() + next.size());
    // Of equal ones that of the first range comes first.
    std::ranges::merge(next, cells, std::back_inserter(all), {}, &Each::time, &Each::time);
    const auto repeated = std::ranges::unique(all, {}, &Each::time);
    all.erase(repeated.begin(), repeated.end());
    cells = std::move(all);
}

/// Where the cells of some time lie.
std::vector<storage::RangeQuery> queries_of(
    std::int64_t series, seconds step, std::int64_t from, std::int64_t until
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
    return queries;
}

/// Adds what these have from `from` to before `until` of rows that expire after `now`.
template <class Each, class Decode>
Result<void> read_cells(
    storage::Store& store,
    std::vector<storage::RangeQuery> queries,
    std::int64_t from,
    std::int64_t until,
    std::int64_t now,
    const Decode& decode,
    Cells<Each>& cells
) {
    CellRows<Each> rows;
    const auto add = [&](std::size_t, const storage::Rows& partition) -> Result<void> {
        for (std::size_t row = 0; row < partition.size(); ++row) {
            if (partition.at(row, 7).number() > now) {
                TRY_VOID(rows.add(partition, row, decode));
            }
        }
        const Cells<Each> all = rows.take();
        const auto wanted = between(all, from, until);
        cells.insert(cells.end(), wanted.begin(), wanted.end());
        return {};
    };
    return storage::read_each(store, std::move(queries), add);
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

template <class Each>
std::vector<Each> CellRows<Each>::take() {
    // Of one number, the row of several hours was made of the other ones.
    std::ranges::sort(rows_, {}, [](const Row& row) { return std::tie(row.number, row.hour); });
    Cells<Each> cells;
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

template class CellRows<series::Cell>;
template class CellRows<series::Point>;

Result<std::vector<series::Cell>> read_cell_rows(
    storage::Store& store,
    std::int64_t series,
    seconds step,
    std::int64_t from,
    std::int64_t until,
    std::int64_t now
) {
    std::vector<series::Cell> cells;
    TRY_VOID(read_cells(
        store, queries_of(series, step, from, until), from, until, now, series::decode_cells, cells
    ));
    return cells;
}

Result<void> read_figure_rows(
    storage::Store& store,
    std::int64_t series,
    seconds step,
    std::int64_t from,
    std::int64_t until,
    series::Figure figure,
    std::int64_t now,
    std::vector<series::Point>& points
) {
    points.clear();
    const auto decode = [figure](std::string_view bytes, std::vector<series::Point>& cells) {
        return series::decode_figure(bytes, figure, cells);
    };
    return read_cells(
        store, queries_of(series, step, from, until), from, until, now, decode, points
    );
}

}  // namespace footfall::timeseries
