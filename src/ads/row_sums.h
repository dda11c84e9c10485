#pragma once

#include "ads/account.h"
#include "ads/packed.h"
#include "ads/recount_line.h"
#include "foundation/result.h"
#include "storage/rows.h"
#include "storage/table.h"
#include "storage/value.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Rows of sums for whoever counts again: by the names of a table's columns, so that nothing here is
// the code that made the rows (cells.h). Only the packed bytes are read by the code they have.

namespace footfall::ads {

/// What a row of sums says; parts that its table has no columns for are empty.
struct RowSums {
    Amounts amounts;
    RefusalsByQuarter refused;
    AmountsByQuarter quarters;
    AmountsByDay days;
    std::uint64_t through = 0;       ///< Lines of the lane before this are in.
    std::int64_t first_arrival = 0;  ///< Of the first of them, as stored.
};

/// A table of sums, and which columns it has.
struct SumTable {
    const storage::Table* table = nullptr;
    bool has_refused = false;  ///< Refusals and the first arrival.
    bool by_quarter = false;   ///< Quarter-hours.
    bool by_day = false;       ///< Packed days.
};

/// All of them.
std::span<const SumTable> sum_tables();

/// The index of this one in sum_tables().
std::size_t sum_table_index(const storage::Table& table);

/// Whose rows those are that have the line in this table: the reseller, the publisher or the ad.
/// Absent: none has it.
std::optional<std::string_view> owner_in(const SumTable& table, const RecountLine& line);

/// The key of the row that has the line.
std::vector<storage::Value> sum_key(
    const SumTable& table, const RecountLine& line, std::string_view writer
);

/// Adds one to clicks, sales or refunds, and the amount.
void add_counted(const RecountLine& line, Amounts& amounts);

void add_line(const SumTable& table, const RecountLine& line, RowSums& sums);

/// The value of the column of this name, which the table must have.
storage::ValueView column_of(const storage::Rows& rows, std::size_t row, std::string_view name);

inline std::uint64_t count_of(const storage::Rows& rows, std::size_t row, std::string_view name) {
    return static_cast<std::uint64_t>(column_of(rows, row, name).number());
}

/// All columns of its key.
std::vector<storage::Value> key_of(const storage::Rows& rows, std::size_t row);

Result<RowSums> read_sums(const storage::Rows& rows, std::size_t row);

/// The value of a key's column of this name; absent: there is none.
std::optional<storage::ValueView> key_column(
    const storage::Table& table, std::span<const storage::Value> key, std::string_view name
);

/// "amount_by_day: reseller r1, currency EUR, day 2026-11-21, ..".
std::string row_name(const storage::Table& table, std::span<const storage::Value> key);

/// "2 clicks, 0 sales, 1 refunds, amount 0.500000".
std::string text_of(const Amounts& amounts);

/// The same, and what was refused.
std::string text_of(const RowSums& sums);

/// How a row differs from what it should be, as a sentence; absent: it does not.
/// `other`: who says so, such as "the log has".
std::optional<std::string> sums_difference(
    const std::string& name, const RowSums& stored, const RowSums& truth, std::string_view other
);

/// The same where only a part of the row's lines is known: it must have at least those.
std::optional<std::string> sums_lack(
    const std::string& name, const RowSums& stored, const RowSums& truth
);

}  // namespace footfall::ads
