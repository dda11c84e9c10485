#pragma once

#include "foundation/result.h"
#include "sketches/sketch.h"
#include "storage/store.h"
#include "views/cell.h"
#include "views/report.h"

#include <cstdint>
#include <map>
#include <string_view>

namespace footfall::views {

/// What one writer's row says of an object, on a day or ever.
struct RowCell {
    EventCounts counts;
    sketches::Sketch people;
    /// Behind the last event of the writer's lane that is in it.
    std::uint64_t through = 0;
};

/// By day, lifetime among them; only those of which there is a row.
using RowCells = std::map<Day, RowCell>;

/// Reads what the writer of `mark` has stored of an object in the tables of `mark`: what verify
/// holds to the log. Of the expired tables: what has left the log, also while it is still in it up
/// to `through`. Blocks.
Result<RowCells> read_row_cells(
    storage::Store& store, const RowMark& mark, std::string_view action, std::string_view object
);

}  // namespace footfall::views
