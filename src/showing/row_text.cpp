#include "showing/row_text.h"

#include "foundation/json_string.h"
#include "showing/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace footfall::showing {
namespace {

std::string shown_value(
    const RowInPage& row, std::size_t column, std::span<const ShownColumn> columns
) {
    const std::string_view name = row.table().column(column).name;
    const auto shown = std::ranges::find(columns, name, &ShownColumn::column);
    if (shown == columns.end()) {
        return value_json(row.table(), column, row.value(column));
    }
    const std::string_view bytes = row.value(column).text();
    Result<std::string> json = shown->json(row, bytes);
    return json ? *std::move(json)
                : fmt::format(
                      R"({{"damaged":{},"bytes":"{}"}})",
                      json_string(json.error().message),
                      hex_text(bytes)
                  );
}

/// A JSON string without its quotes, where it is read the same way without them.
std::string_view unquoted(std::string_view json) {
    const bool is_text = json.size() > 2 && json.starts_with('"');
    const bool is_plain = !json.contains('\\') && !json.contains(' ');
    return is_text && is_plain ? json.substr(1, json.size() - 2) : json;
}

}  // namespace

std::string row_json(const RowInPage& row, std::span<const ShownColumn> columns) {
    std::string json = "{";
    for (std::size_t at = 0; at < row.table().width(); ++at) {
        json += fmt::format(
            R"({}"{}":{})",
            at == 0 ? "" : ",",
            row.table().column(at).name,
            shown_value(row, at, columns)
        );
    }
    return json + "}";
}

std::string row_text(const RowInPage& row, std::span<const ShownColumn> columns) {
    std::size_t longest = 0;
    for (std::size_t at = 0; at < row.table().width(); ++at) {
        longest = std::max(longest, row.table().column(at).name.size());
    }
    std::string text;
    for (std::size_t at = 0; at < row.table().width(); ++at) {
        const std::string value = shown_value(row, at, columns);
        text += fmt::format("{:<{}}  {}\n", row.table().column(at).name, longest, unquoted(value));
    }
    return text;
}

}  // namespace footfall::showing
