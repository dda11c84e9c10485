#pragma once

#include "ads/cells.h"
#include "ads/line.h"
#include "foundation/result.h"
#include "storage/blocking.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace footfall::ads {

/// A line that waits for its rows, and in which lane.
struct WaitingLine {
    std::uint32_t lane = 0;
    Line line;
};

/// Cells by the keys of their rows.
template <class Rows>
using CellsByKey = std::map<std::vector<storage::Value>, typename Rows::Cell>;

/// The cells of rows, with the waiting lines that each of them has not, also those that have no row
/// yet. `wanted(line)` says which lines belong to the range that was read. Lines have to be copied
/// before it was: what is written meanwhile is in the rows. Pure.
template <class Rows, class Wanted>
Result<CellsByKey<Rows>> gather(
    const Rows& rows,
    const storage::Rows& stored,
    std::uint64_t log,
    std::span<const WaitingLine> lines,
    const Wanted& wanted
) {
    CellsByKey<Rows> cells;
    const std::size_t width = rows.table().key_width();
    for (std::size_t row = 0; row < stored.size(); ++row) {
        std::vector<storage::Value> key;
        key.reserve(width);
        for (std::size_t column = 0; column < width; ++column) {
            key.push_back(stored.at(row, column).owned());
        }
        TRY(auto cell, Rows::read(stored, row));
        cells.emplace_hint(cells.end(), std::move(key), std::move(cell));
    }
    for (const WaitingLine& each : lines) {
        const auto key = rows.key_of(each.lane, each.line);
        if (!key || !wanted(each.line)) {
            continue;
        }
        auto& cell = cells[Rows::row_key(*key, log)];
        if (each.line.offset >= cell.through) {
            cell.add(LineSum{each.line});
        }
    }
    return cells;
}

/// The same of a range of one partition, which it reads. Blocks.
template <class Rows, class Wanted>
Result<CellsByKey<Rows>> gather(
    const Rows& rows,
    storage::Store& store,
    storage::RangeQuery range,
    std::uint64_t log,
    std::span<const WaitingLine> lines,
    const Wanted& wanted
) {
    range.table = &rows.table();
    TRY(const storage::Rows stored, storage::read_all(store, std::move(range)));
    return gather(rows, stored, log, lines, wanted);
}

}  // namespace footfall::ads
