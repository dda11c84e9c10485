#include "timeseries_routes/shown_timeseries.h"

#include "series/block.h"
#include "series/cell.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

/// A number, or as a text what JSON has no number for.
void append_figure(double value, std::string& json) {
    const std::string_view quote = std::isfinite(value) ? "" : "\"";
    fmt::format_to(std::back_inserter(json), "{}{}{}", quote, value, quote);
}

Result<std::string> points_json(const showing::RowInPage& /*row*/, std::string_view bytes) {
    std::vector<series::Point> points;
    TRY_VOID(series::decode(bytes, points));
    std::string json = "[";
    for (const series::Point& point : points) {
        fmt::format_to(std::back_inserter(json), "{}[{},", json.size() == 1 ? "" : ",", point.time);
        append_figure(point.value, json);
        json += ']';
    }
    return json + "]";
}

Result<std::string> cells_json(const showing::RowInPage& /*row*/, std::string_view bytes) {
    std::vector<series::Cell> cells;
    TRY_VOID(series::decode_cells(bytes, cells));
    std::string json = "[";
    for (const series::Cell& cell : cells) {
        fmt::format_to(std::back_inserter(json), "{}[{}", json.size() == 1 ? "" : ",", cell.time);
        for (const double figure : {cell.min, cell.max, cell.sum}) {
            json += ',';
            append_figure(figure, json);
        }
        fmt::format_to(std::back_inserter(json), ",{},", cell.count);
        append_figure(cell.last, json);
        json += ']';
    }
    return json + "]";
}

constexpr std::array<showing::ShownColumn, 2> shown_columns{
    {{.column = "points", .json = points_json}, {.column = "cells", .json = cells_json}}
};

}  // namespace

std::span<const showing::ShownColumn> shown_timeseries() {
    return shown_columns;
}

}  // namespace footfall::timeseries::routes
