#pragma once

#include "showing/shown_column.h"

#include <span>
#include <string>

namespace footfall::showing {

/// A row as one JSON object, its columns in the order of the table. Bytes that a ShownColumn cannot
/// read stand as {"damaged": why, "bytes": "0x.."}. Without a line end.
std::string row_json(const RowInPage& row, std::span<const ShownColumn> columns);

/// The same for people: a line for each column, its name and its value; texts without quotes where
/// nothing in them needs any. Each line with its end.
std::string row_text(const RowInPage& row, std::span<const ShownColumn> columns);

}  // namespace footfall::showing
