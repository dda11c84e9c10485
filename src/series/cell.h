#pragma once

#include "foundation/result.h"
#include "series/point.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::series {

/// What the points of one step of time came to: of those that are numbers, as NaN says that there
/// is none.
struct Cell {
    std::int64_t time = 0;  ///< When the step begins: milliseconds, a multiple of the step.
    double min = 0;
    double max = 0;
    double sum = 0;           ///< Added in the order of time, so the same points give the same sum.
    std::uint64_t count = 0;  ///< Above 0.
    double last = 0;          ///< The newest.

    friend bool operator==(const Cell&, const Cell&) = default;
};

/// What can be shown of a cell.
enum class Figure : std::uint8_t { average, min, max, sum, count, last };

/// Pure.
double figure_of(const Cell& cell, Figure figure);

/// The cells of settled points, by steps of so many milliseconds, above 0; ascending, and none
/// where there is no number. Pure.
std::vector<Cell> cells_of(std::span<const Point> points, std::int64_t step);

/// The same of finer cells, whose steps fit whole into this one. Pure. All but `sum` are what
/// cells_of() makes of the points; a sum of sums may differ from it in its last bits.
std::vector<Cell> coarser(std::span<const Cell> cells, std::int64_t step);

/// Cells as bytes: a block (block.h) of each figure, docs/formats/point_block.md. Pure.
std::string encode_cells(std::span<const Cell> cells);

/// Adds the cells of a block to `cells`; `corrupt`, and `cells` as it was, if encode_cells() did
/// not write it. Pure.
Result<void> decode_cells(std::string_view bytes, std::vector<Cell>& cells);

/// The same of one figure of each cell: a point at its time. Only what it is made of is decoded,
/// which takes a fifth of the time, or two for a mean, and is what damage is looked for in. Pure.
Result<void> decode_figure(std::string_view bytes, Figure figure, std::vector<Point>& points);

}  // namespace footfall::series
