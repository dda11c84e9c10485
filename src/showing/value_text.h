#pragma once

#include "foundation/result.h"
#include "storage/table.h"
#include "storage/value.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace footfall::showing {

/// Bytes as 0x and two digits each, in lower case.
std::string hex_text(std::string_view bytes);

/// A value of a column (counted as Table::column() does) as JSON. Numbers are numbers; a day is
/// "2026-11-21", a time RFC 3339, and a time that is not known or never comes (0 in a value column)
/// null. A decimal is text with six decimals. Bytes are the text that they are, or hex_text() where
/// they are none, or a text that would be read as such.
std::string value_json(
    const storage::Table& table, std::size_t column, const storage::ValueView& value
);

/// Reads what value_json() writes, without the quotes of a text; `invalid_input` says what the
/// column takes. A time can be a number of microseconds, too.
Result<storage::Value> parse_value(const storage::Column& column, std::string_view text);

}  // namespace footfall::showing
