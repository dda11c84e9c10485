#pragma once

#include "foundation/clock.h"
#include "foundation/memory_cost.h"
#include "foundation/result.h"
#include "sketches/sketch.h"
#include "storage/batch.h"
#include "storage/rows.h"
#include "views/counts.h"
#include "views/schema.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::views {

/// Days since 1970-01-01, UTC.
using Day = std::int32_t;

/// The name under which all objects count together, in every lane. No object of an event has it.
inline constexpr std::string_view all_objects = {};

/// Stands for the day of the cell that has all days.
inline constexpr Day lifetime = std::numeric_limits<Day>::min();

Day day_of(Instant time);

/// 0 to 95.
unsigned quarter_of(Instant time);

/// What is counted of an object on one day, or on all: what a row holds, and what memory has to
/// know of it. 56 bytes. Guarded by its lane.
struct Cell {
    explicit Cell(Day which) : day{which} {}

    std::uint64_t through = 0;  ///< The offset behind the last event included.
    [[no_unique_address]] Counts counts;
    Day day;
    sketches::Sketch people;
    std::uint32_t pins = 0;     ///< Holds that need it, each as often as it was asked for.
    std::uint32_t unsaved = 0;  ///< Changes of it that are not durable, by row.
    /// People added since the last row, as far as 255: whether its registers are worth being open.
    std::uint8_t added = 0;
    /// Of a total: the highest classes of which rows were submitted, as far as this cell knows.
    std::uint8_t ranked_people = unranked;
    std::uint8_t ranked_views = unranked;
    bool loaded : 1 = false;   ///< Is what the store has, and more. Else it is empty.
    bool loading : 1 = false;  ///< Somebody asks the store.
    bool changed : 1 = false;  ///< Since the last row that was submitted.
    bool used : 1 = false;     ///< Since the hand came by.

    static constexpr std::uint8_t unranked = 255;

    /// Bytes of the heap.
    std::size_t bytes() const { return counts.bytes() + allocated_bytes(people.bytes()); }
};

/// Whose rows and which sketches, and where.
struct RowMark {
    CellTables tables = live_tables;
    std::string writer;
    std::uint16_t sketch_key = 0;
    std::uint32_t lane = 0;
};

/// Puts the rows of all size classes that a total came to since it was ranked.
void append_ranks(
    std::string_view action,
    std::string_view object,
    const Cell& total,
    const RowMark& mark,
    storage::Batch& batch
);

/// They were submitted.
void note_ranks(Cell& total);

/// Puts the row of a cell.
void append_row(
    std::string_view action,
    std::string_view object,
    const Cell& cell,
    const Reasons& reasons,
    const RowMark& mark,
    storage::Batch& batch
);

/// The key of its row.
std::vector<storage::Value> row_key(
    std::string_view action, std::string_view object, Day day, const RowMark& mark
);

/// What is read of a row, of either table.
struct StoredCell {
    Counts counts;
    sketches::Sketch people;
    std::uint64_t through = 0;
};

Result<StoredCell> read_row(
    const storage::Rows& rows,
    std::size_t row,
    Reasons& reasons,
    std::uint16_t sketch_key,
    sketches::Sketch::Kept kept = sketches::Sketch::Kept::closed
);

}  // namespace footfall::views
