#include "timeseries/point_rows.h"

#include "series/block.h"
#include "storage/blocking.h"
#include "timeseries/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

namespace footfall::timeseries {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;

namespace {

/// Where the points of some time lie.
std::vector<storage::RangeQuery> queries_of(
    std::int64_t series, std::int64_t from, std::int64_t until
) {
    const auto first = std::chrono::floor<hours>(milliseconds{from});
    const auto last = std::chrono::floor<hours>(milliseconds{until - 1});
    std::vector<storage::RangeQuery> queries;
    for (days day = std::chrono::floor<days>(first); day <= last; day += days{1}) {
        queries.push_back(
            {.table = &point_block_table,
             .partition = {series, std::int64_t{day.count()}, as_they_came},
             .from = {micros(std::max<hours>(first, day))},
             .through = {micros(last)}}
        );
    }
    return queries;
}

/// Takes away what is behind `at` and is not from `from` to before `until`; all of it ascends.
void cut(
    std::vector<series::Point>& points, std::size_t at, std::int64_t from, std::int64_t until
) {
    const auto added = points.begin() + static_cast<std::ptrdiff_t>(at);
    points.erase(
        std::ranges::lower_bound(added, points.end(), until, {}, &series::Point::time), points.end()
    );
    points.erase(
        added, std::ranges::lower_bound(added, points.end(), from, {}, &series::Point::time)
    );
}

}  // namespace

Result<void> read_point_rows(
    storage::Store& store,
    std::int64_t series,
    std::int64_t from,
    std::int64_t until,
    std::int64_t now,
    std::vector<series::Point>& points
) {
    points.clear();
    if (from >= until) {
        return {};
    }
    bool is_settled = true;
    const auto add = [&](std::size_t, const storage::Rows& rows) -> Result<void> {
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (rows.at(row, 7).number() <= now) {
                continue;
            }
            const std::size_t before = points.size();
            TRY_VOID(series::decode(rows.at(row, 6).text(), points));
            cut(points, before, from, until);
            // A block ascends by itself, so sealed hours one behind the other need no look at all.
            is_settled = is_settled && (before == 0 || before == points.size() ||
                                        points[before - 1].time < points[before].time);
            if (points.size() > points_read_max) {
                return fail(
                    ErrorKind::invalid_input,
                    fmt::format(
                        "there are more than {} points then: ask for a shorter time",
                        points_read_max
                    )
                );
            }
        }
        return {};
    };
    TRY_VOID(storage::read_each(store, queries_of(series, from, until), add));
    if (!is_settled) {
        series::settle(points);
    }
    return {};
}

}  // namespace footfall::timeseries
