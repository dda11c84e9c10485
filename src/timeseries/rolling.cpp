#include "timeseries/rolling.h"

#include "storage/blocking.h"
#include "timeseries/schema.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <utility>

namespace footfall::timeseries {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// So many rows of hours become one.
constexpr std::size_t packed_rows = 16;
/// An hour of more cells is large enough for a row.
constexpr std::int64_t packed_cells_max = 60;
/// With this hour of a period what is left of the one before it is packed.
constexpr hours packs_before{3};

bool is_packed(seconds step) {
    return hours{1} / step <= packed_cells_max;
}

}  // namespace

/// A partition of cells.
struct Rolling::Place {
    std::int64_t series;
    std::int64_t period;
    std::int64_t step;

    storage::RangeQuery from(std::int64_t hour) const {
        return {.table = &point_cells_table, .partition = {series, period, step}, .from = {hour}};
    }

    void erase(std::int64_t hour, RowNumber number, storage::Batch& batch) const {
        batch.erase(point_cells_table, {series, period, step, hour, number.written, number.writer});
    }

    void write(
        std::int64_t hour,
        RowNumber number,
        std::span<const series::Cell> cells,
        std::int64_t expires,
        storage::Batch& batch
    ) const {
        batch.upsert(
            point_cells_table,
            {series,
             period,
             step,
             hour,
             number.written,
             number.writer,
             series::encode_cells(cells),
             expires}
        );
    }
};

namespace {

/// Calls `see(rows, row, hour, number)` with each row of a range.
Result<void> each_row(
    storage::Store& store,
    storage::RangeQuery query,
    const std::function<
        Result<void>(const storage::Rows&, std::size_t row, std::int64_t hour, RowNumber)>& see
) {
    do {
        TRY(const storage::Page page, storage::read_page(store, query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            const RowNumber number{
                .written = page.rows.at(row, 4).number(), .writer = page.rows.at(row, 5).number()
            };
            TRY_VOID(see(page.rows, row, page.rows.at(row, 3).number(), number));
        }
        query.continuation = page.continuation;
    } while (!query.continuation.empty());
    return {};
}

}  // namespace

Result<void> Rolling::roll(
    WholeHour hour,
    std::span<const series::Resolution> resolutions,
    std::int64_t settled_before,
    std::int64_t now,
    storage::Batch& batch
) {
    series::settle(hour.points);
    const auto since_1970 = std::chrono::floor<hours>(microseconds{hour.hour});
    for (const auto& [step, kept] : resolutions.subspan(1)) {
        const std::int64_t expires = micros(since_1970 + hours{1} + kept);
        if (expires <= now) {
            continue;
        }
        const Place place{
            .series = hour.series,
            .period = period_with(since_1970, step).count(),
            .step = step.count()
        };
        const auto cells = series::cells_of(hour.points, milliseconds{step}.count());
        place.write(hour.hour, hour.newest, cells, expires, batch);
        cells_.fetch_add(cells.size(), std::memory_order_relaxed);
        TRY_VOID(tidy(place, hour.hour, hour.newest, settled_before, batch));
        if (const auto into = since_1970 - std::chrono::days{place.period};
            into == packs_before && is_packed(step)) {
            const Place before{
                .series = hour.series,
                .period = place.period - period_of(step).count(),
                .step = step.count()
            };
            TRY_VOID(pack(before, settled_before, batch));
        }
    }
    return {};
}

/// Erases what the hour had before, and packs the rows if they are many.
Result<void> Rolling::tidy(
    const Place& place,
    std::int64_t hour,
    RowNumber newest,
    std::int64_t settled_before,
    storage::Batch& batch
) {
    std::size_t settled = 0;
    TRY_VOID(each_row(
        *store_,
        place.from(several_hours + 1),
        [&](const storage::Rows&, std::size_t, std::int64_t of, RowNumber number) -> Result<void> {
            if (of == hour && number < newest) {
                place.erase(hour, number, batch);
            } else if (number.written < settled_before) {
                ++settled;
            }
            return {};
        }
    ));
    return settled >= packed_rows && is_packed(seconds{place.step})
               ? pack(place, settled_before, batch)
               : Result<void>{};
}

/// One row in place of those of before, under the last of their numbers. A row that is written to
/// an hour later has a later one, and stands.
Result<void> Rolling::pack(const Place& place, std::int64_t settled_before, storage::Batch& batch) {
    CellRows<series::Cell> all;
    std::vector<std::pair<RowNumber, std::int64_t>> keys;
    std::int64_t expires = 0;
    TRY_VOID(each_row(
        *store_,
        place.from(several_hours),
        [&](const storage::Rows& rows, std::size_t row, std::int64_t hour, RowNumber number
        ) -> Result<void> {
            if (number.written < settled_before) {
                TRY_VOID(all.add(rows, row, series::decode_cells));
                keys.emplace_back(number, hour);
                expires = std::max(expires, rows.at(row, 7).number());
            }
            return {};
        }
    ));
    if (keys.size() < 2) {
        return {};
    }
    const RowNumber last = std::ranges::max(keys).first;
    for (const auto& [number, hour] : keys) {
        if (hour != several_hours || number != last) {
            place.erase(hour, number, batch);
        }
    }
    place.write(several_hours, last, all.take(), expires, batch);
    return {};
}

}  // namespace footfall::timeseries
