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

/// What of an object, on a day or ever, was of events that have left the log.
struct ExpiredCell {
    EventCounts counts;
    sketches::Sketch people;
    /// Events of the lane before this offset are in it, also while they are still in the log.
    std::uint64_t through = 0;
};

/// By day, lifetime among them. Empty: all events of the object are in the log.
using ExpiredCells = std::map<Day, ExpiredCell>;

/// Reads what the writer of `mark` has of an object in the expired tables. Blocks.
Result<ExpiredCells> read_expired(
    storage::Store& store, const RowMark& mark, std::string_view action, std::string_view object
);

}  // namespace footfall::views
