#include "series/cell.h"

#include "foundation/check.h"
#include "foundation/varint.h"
#include "series/block.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

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

/// Where the number of a cell's points is among the figures.
constexpr std::size_t count_place = 3;

/// Of the figures that stand as they are.
std::size_t place_of(Figure figure) {
    switch (figure) {
        case Figure::min:
            return 0;
        case Figure::max:
            return 1;
        case Figure::average:
        case Figure::sum:
            return 2;
        case Figure::count:
            return count_place;
        case Figure::last:
            return 4;
    }
    return 0;
}

/// Not by floor(), which is a call where the processor is of any kind.
bool is_count(double value) {
    return value >= 1 && value <= count_max &&
           value == static_cast<double>(static_cast<std::int64_t>(value));
}

std::unexpected<Error> damaged() {
    return fail(ErrorKind::corrupt, "cells: not as they are written");
}

/// False: they are of other times, or no counts.
bool set_figure(std::size_t figure, std::span<const Point> told, std::span<Cell> cells) {
    constexpr std::array<double Cell::*, figures> members{
        &Cell::min, &Cell::max, &Cell::sum, nullptr, &Cell::last
    };
    if (told.size() != cells.size()) {
        return false;
    }
    double Cell::* const member = members[figure];
    for (std::size_t at = 0; at < told.size(); ++at) {
        const double value = told[at].value;
        if (told[at].time != cells[at].time) {
            return false;
        }
        if (member != nullptr) {
            cells[at].*member = value;
        } else if (is_count(value)) {
            cells[at].count = static_cast<std::uint64_t>(value);
        } else {
            return false;
        }
    }
    return true;
}

/// The block of each figure.
Result<std::array<std::string_view, figures>> blocks_of(std::string_view bytes) {
    if (bytes.empty() || bytes[0] != cells_version) {
        return fail(ErrorKind::corrupt, "cells: no version that this program knows");
    }
    bytes.remove_prefix(1);
    std::array<std::string_view, figures> blocks;
    for (std::string_view& block : blocks) {
        std::uint64_t length = 0;
        if (!take_varint(bytes, length) || length > bytes.size()) {
            return damaged();
        }
        block = bytes.substr(0, length);
        bytes.remove_prefix(length);
    }
    if (!bytes.empty()) {
        return damaged();
    }
    return blocks;
}

/// Makes means of sums. False: these are no counts of them.
bool divide(std::span<Point> sums, std::span<const Point> counts) {
    bool are_counts = sums.size() == counts.size();
    for (std::size_t at = 0; are_counts && at < sums.size(); ++at) {
        are_counts = sums[at].time == counts[at].time && is_count(counts[at].value);
        sums[at].value /= counts[at].value;
    }
    return are_counts;
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
    TRY(const auto blocks, blocks_of(bytes));
    const std::size_t before = cells.size();
    const auto as_it_was = [&](std::unexpected<Error> error) {
        cells.resize(before);
        return error;
    };
    std::vector<Point> told;
    for (std::size_t figure = 0; figure < figures; ++figure) {
        told.clear();
        if (auto decoded = decode(blocks[figure], told); !decoded) {
            return as_it_was(std::unexpected(std::move(decoded).error()));
        }
        if (figure == 0) {
            cells.resize(before + told.size());
            std::ranges::transform(
                told,
                cells.begin() + static_cast<std::ptrdiff_t>(before),
                [](const Point& each) { return Cell{.time = each.time}; }
            );
        }
        if (!set_figure(figure, told, std::span{cells}.subspan(before))) {
            return as_it_was(damaged());
        }
    }
    return {};
}

Result<void> decode_figure(std::string_view bytes, Figure figure, std::vector<Point>& points) {
    TRY(const auto blocks, blocks_of(bytes));
    const std::size_t before = points.size();
    TRY_VOID(decode(blocks[place_of(figure)], points));
    bool is_sound = true;
    if (figure == Figure::count) {
        is_sound = std::ranges::all_of(std::span{points}.subspan(before), is_count, &Point::value);
    } else if (figure == Figure::average) {
        std::vector<Point> counts;
        auto decoded = decode(blocks[count_place], counts);
        if (!decoded) {
            points.resize(before);
            return decoded;
        }
        is_sound = divide(std::span{points}.subspan(before), counts);
    }
    if (!is_sound) {
        points.resize(before);
        return damaged();
    }
    return {};
}

}  // namespace footfall::series
