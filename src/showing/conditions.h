#pragma once

#include "foundation/result.h"
#include "storage/rows.h"
#include "storage/table.h"
#include "storage/value.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::showing {

/// A column has a value.
struct Condition {
    std::size_t column = 0;  ///< As Table::column() counts.
    storage::Value value;
};

/// Reads words like `object=page` for a table. `invalid_input` says what is wrong: a word without
/// '=', a column that the table does not have (with the nearest name), one that is given twice, a
/// value that is none of the column's type.
Result<std::vector<Condition>> parse_conditions(
    const storage::Table& table, std::span<const std::string> words
);

/// The partition columns of the table that no condition is about, in order.
std::vector<std::string_view> open_partition(
    const storage::Table& table, std::span<const Condition> conditions
);

/// Whether a row of the table meets all of them.
bool meets(const storage::Rows& rows, std::size_t row, std::span<const Condition> conditions);

}  // namespace footfall::showing
