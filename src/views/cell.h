#pragma once

#include "foundation/memory_cost.h"
#include "foundation/result.h"
#include "sketches/sketch.h"
#include "storage/batch.h"
#include "storage/rows.h"
#include "views/changes.h"
#include "views/counts.h"
#include "views/day.h"
#include "views/schema.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::views {

/// The name under which all objects count together, in every lane. No object of an event has it.
inline constexpr std::string_view all_objects = {};

/// What is counted of an object on one day, or on all: what a row holds. Guarded by its lane.
struct Cell {
    explicit Cell(Day which) : day{which} {}

    std::uint64_t through = 0;  ///< The offset behind the last event included.
    [[no_unique_address]] Counts counts;
    Day day;
    sketches::Sketch people;
    /// The highest classes of which rows were submitted, as far as this cell knows.
    std::uint8_t ranked_people = unranked;
    std::uint8_t ranked_views = unranked;
    bool changed = false;  ///< Since the last row that was submitted.
    bool writing = false;  ///< A row was submitted that is not known to be durable.

    static constexpr std::uint8_t unranked = 255;

    /// Counts an event of its day (of any, if it has all), unless it has done so before; answers
    /// whether it had not.
    bool apply(const Changes::Entry& entry);

    /// What was put of its ranks may be lost.
    void doubt_ranks() {
        ranked_people = unranked;
        ranked_views = unranked;
    }

    /// A cell that includes what it is told of once more was perhaps written when its ranks were
    /// lost: both are put once more.
    void write_again() {
        doubt_ranks();
        changed = true;
    }

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

/// Puts the row of a cell.
void append_row(
    std::string_view action,
    std::string_view object,
    const Cell& cell,
    const Reasons& reasons,
    const RowMark& mark,
    storage::Batch& batch
);

/// The key of a cell's row.
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

/// The cell as its row says, or as there is none. It is taken for granted that its ranks were
/// written with it (Cell::doubt_ranks).
Cell cell_of(Day day, std::optional<StoredCell> stored);

}  // namespace footfall::views
