#pragma once

#include "foundation/result.h"
#include "storage/rows.h"
#include "storage/table.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace footfall::showing {

/// A row of a page of rows. Borrows the page.
struct RowInPage {
    const storage::Rows* rows = nullptr;
    std::size_t at = 0;

    const storage::Table& table() const { return rows->table(); }

    storage::ValueView value(std::size_t column) const { return rows->at(at, column); }
};

/// How the bytes of a column are shown to people, where they are more than a text. A job has a
/// list of them, and each holds for the column of this name in every table of the job.
struct ShownColumn {
    std::string_view column;
    /// The value of the column as one JSON value; `corrupt` when the bytes are not what they should
    /// be. Pure.
    Result<std::string> (*json)(const RowInPage& row, std::string_view bytes);
};

/// A table with those of its columns that are shown in a way of their own.
struct ShownTable {
    const storage::Table* table = nullptr;
    std::span<const ShownColumn> columns = {};
};

}  // namespace footfall::showing
