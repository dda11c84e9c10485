#pragma once

#include "foundation/result.h"
#include "storage/rows.h"
#include "storage/table.h"
#include "storage/value.h"
#include "storage_cassandra/cell_buffer.h"
#include "storage_cassandra/driver.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace footfall::storage_cassandra {

/// No page has more rows, however many were allowed: it is in memory whole, here and in the node.
inline constexpr std::size_t most_rows_a_page = 5'000;

/// All columns of a row of the answer: the `known` leading ones, and those that were asked for.
/// Views into both, and into `decimals` (value_of). `corrupt` when the answer has other columns
/// than were asked for.
Result<std::vector<storage::ValueView>> answered_columns(
    const storage::Table& table,
    std::span<const storage::Value> known,
    const Answer& answer,
    std::size_t row,
    OtherDecimals& decimals
);

/// Puts the `known` leading columns and those that were answered together to a row. Errors as of
/// answered_columns().
Result<void> append_answered(
    storage::Rows& rows,
    std::span<const storage::Value> known,
    const Answer& answer,
    std::size_t row
);

/// The key of the last row, as key_codec has it: what a continuation is made of.
std::string key_of_last(const storage::Rows& rows);

/// Appends `values` of the columns of `table` from `first` on.
void push_values(
    CellBuffer& cells,
    const storage::Table& table,
    std::size_t first,
    std::span<const storage::Value> values
);

}  // namespace footfall::storage_cassandra
