#include "timeseries_routes/shown_timeseries.h"

#include "series/block.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

Result<std::string> points_json(const showing::RowInPage& /*row*/, std::string_view bytes) {
    std::vector<series::Point> points;
    TRY_VOID(series::decode(bytes, points));
    std::string json = "[";
    for (const series::Point& point : points) {
        const std::string_view quote = std::isfinite(point.value) ? "" : "\"";
        fmt::format_to(
            std::back_inserter(json),
            "{}[{},{}{}{}]",
            json.size() == 1 ? "" : ",",
            point.time,
            quote,
            point.value,
            quote
        );
    }
    return json + "]";
}

constexpr std::array<showing::ShownColumn, 1> shown_columns{
    {{.column = "points", .json = points_json}}
};

}  // namespace

std::span<const showing::ShownColumn> shown_timeseries() {
    return shown_columns;
}

}  // namespace footfall::timeseries::routes
