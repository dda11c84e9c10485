#include "series/cell.h"

#include "foundation/check.h"
#include "foundation/varint.h"
#include "series/block.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace footfall::series {
namespace {

constexpr char cells_version = 1;
constexpr std::size_t figures = 5;
/// Counts up to here are doubles without loss.
constexpr double count_max = 0x1p53;

/// When the step begins in which `time` is: also before 1970.
std::int64_t step_of(std::int64_t time, std::int64_t step) {
    const std::int64_t into = time % step;
    return time - (into < 0 ? into + step : into);
}

/// Takes what comes next in time.
void add(std::vector<Cell>& cells, const Cell& next, std::int64_t step) {
    const std::int64_t begins = step_of(next.time, step);
    if (cells.empty() || cells.back().time != begins) {
        cells.push_back(next);
        cells.back().time = begins;
        return;
    }
    Cell& cell = cells.back();
    cell.min = std::min(cell.min, next.min);
    cell.max = std::max(cell.max, next.max);
    cell.sum += next.sum;
    cell.count += next.count;
    cell.last = next.last;
}

std::array<double, figures> figures_of(const Cell& cell) {
    return {cell.min, cell.max, cell.sum, static_cast<double>(cell.count), cell.last};
}

}  // namespace

double figure_of(const Cell& cell, Figure figure) {
    switch (figure) {
        case Figure::average:
            return cell.sum / static_cast<double>(cell.count);
        case Figure::min:
            return cell.min;
        case Figure::max:
            return cell.max;
        case Figure::sum:
            return cell.sum;
        case Figure::count:
            return static_cast<double>(cell.count);
        case Figure::last:
            return cell.last;
    }
    return 0;
}

std::vector<Cell> cells_of(std::span<const Point> points, std::int64_t step) {
    CHECK(step > 0, "a step is above 0");
    std::vector<Cell> cells;
    for (const Point& point : points) {
        if (!std::isnan(point.value)) {
            const double value = point.value;
            add(cells,
                {.time = point.time,
                 .min = value,
                 .max = value,
                 .sum = value,
                 .count = 1,
                 .last = value},
                step);
        }
    }
    return cells;
}

std::vector<Cell> coarser(std::span<const Cell> cells, std::int64_t step) {
    CHECK(step > 0, "a step is above 0");
    std::vector<Cell> all;
    for (const Cell& cell : cells) {
        add(all, cell, step);
    }
    return all;
}

std::string encode_cells(std::span<const Cell> cells) {
    std::string bytes{cells_version};
    std::vector<Point> points(cells.size());
    for (std::size_t figure = 0; figure < figures; ++figure) {
        for (std::size_t at = 0; at < cells.size(); ++at) {
            points[at] = {.time = cells[at].time, .value = figures_of(cells[at])[figure]};
        }
        const std::string block = encode(points);
        append_varint(block.size(), bytes);
        bytes += block;
    }
    return bytes;
}

Result<void> decode_cells(std::string_view bytes, std::vector<Cell>& cells) {
    const auto damaged = [] { return fail(ErrorKind::corrupt, "cells: not as they are written"); };
    if (bytes.empty() || bytes[0] != cells_version) {
        return fail(ErrorKind::corrupt, "cells: no version that this program knows");
    }
    bytes.remove_prefix(1);
    std::array<std::vector<Point>, figures> told;
    for (std::vector<Point>& each : told) {
        std::uint64_t length = 0;
        if (!take_varint(bytes, length) || length > bytes.size()) {
            return damaged();
        }
        TRY_VOID(decode(bytes.substr(0, length), each));
        bytes.remove_prefix(length);
        if (!std::ranges::equal(each, told[0], {}, &Point::time, &Point::time)) {
            return damaged();
        }
    }
    const std::vector<Point>& counts = told[3];
    const bool counted = std::ranges::all_of(counts, [](const Point& count) {
        return count.value >= 1 && count.value <= count_max &&
               count.value == std::floor(count.value);
    });
    if (!bytes.empty() || !counted) {
        return damaged();
    }
    cells.reserve(cells.size() + counts.size());
    for (std::size_t at = 0; at < counts.size(); ++at) {
        cells.push_back(
            {.time = told[0][at].time,
             .min = told[0][at].value,
             .max = told[1][at].value,
             .sum = told[2][at].value,
             .count = static_cast<std::uint64_t>(counts[at].value),
             .last = told[4][at].value}
        );
    }
    return {};
}

}  // namespace footfall::series
