#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "storage/batch.h"
#include "storage/store.h"
#include "views/cell.h"
#include "views/row_cells.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::views {

/// Whether an object is in lists of the largest of an action. All objects together are in none, nor
/// are articles that were read: reading knows of which of those everybody may be told.
bool is_listed(std::string_view action, std::string_view object);

/// Puts the rows of all size classes that a cell of a listed object came to since it was ranked;
/// none of a day on which no window begins any more.
void append_ranks(
    std::string_view action,
    std::string_view object,
    const Cell& cell,
    const RowMark& mark,
    Instant now,
    storage::Batch& batch
);

/// They were submitted.
void note_ranks(Cell& cell);

/// Looks whether stored cells have the rows by which a list of the largest finds them. Some are
/// looked up together, and memory is that of those. Of one thread; the store must outlive it.
class RankCheck {
public:
    RankCheck(storage::Store& store, std::uint32_t lane, Instant now)
        : store_{&store}, lane_{lane}, now_{now} {}

    /// Takes a stored cell of a listed object, and may look up what it took so far. Waits.
    Result<void> add(
        std::string_view action, std::string_view object, Day day, const RowCell& cell
    );

    /// Looks up the rest. Waits.
    Result<void> finish();

    /// A sentence for each that is missing.
    const std::vector<std::string>& differences() const { return differences_; }

private:
    /// Rows of one table, and whose they are.
    struct Rows {
        std::vector<std::vector<storage::Value>> keys = {};
        std::vector<std::string> names = {};
    };

    Result<void> look_up(const storage::Table& table, Rows& rows);

    storage::Store* store_;
    const std::uint32_t lane_;
    const Instant now_;
    Rows of_days_;
    Rows of_totals_;
    std::vector<std::string> differences_;
};

}  // namespace footfall::views
