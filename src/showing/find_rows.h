#pragma once

#include "foundation/result.h"
#include "showing/conditions.h"
#include "showing/shown_column.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace footfall::showing {

/// Which rows of a table are wanted.
struct RowsWanted {
    const storage::Table* table = nullptr;
    std::vector<Condition> conditions = {};
    std::uint64_t rows_max = 100;  ///< Above 0.
    /// So many rows are looked at in the end, whether they meet the conditions or not. Above 0.
    std::uint64_t looks_max = 100'000;
};

struct RowsFound {
    enum class End {
        all_seen,   ///< There is nothing else.
        rows_max,   ///< So many were found; there may be more.
        looks_max,  ///< So many were looked at; there may be more.
    };

    std::uint64_t rows = 0;
    std::uint64_t looks = 0;
    End end = End::all_seen;
};

/// Calls `take` with each row that meets the conditions. Where these give all partition columns the
/// rows of that partition are read, in the table's order, and leading clustering columns narrow it;
/// else the table is scanned, in an order that is the store's own. Rows whose time is over may be
/// among them. Blocks.
Result<RowsFound> find_rows(
    storage::Store& store, const RowsWanted& wanted, const std::function<void(RowInPage)>& take
);

}  // namespace footfall::showing
