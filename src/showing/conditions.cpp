#include "showing/conditions.h"

#include "foundation/nearest_word.h"
#include "showing/value_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace footfall::showing {
namespace {

std::vector<std::string> column_names(const storage::Table& table) {
    std::vector<std::string> names;
    names.reserve(table.width());
    for (std::size_t at = 0; at < table.width(); ++at) {
        names.emplace_back(table.column(at).name);
    }
    return names;
}

bool is_given(std::span<const Condition> conditions, std::size_t column) {
    return std::ranges::find(conditions, column, &Condition::column) != conditions.end();
}

Result<std::size_t> find_column(const storage::Table& table, std::string_view name) {
    const std::vector<std::string> names = column_names(table);
    if (const auto found = std::ranges::find(names, name); found != names.end()) {
        return static_cast<std::size_t>(found - names.begin());
    }
    const std::string_view nearest = nearest_word(name, names);
    return fail(
        ErrorKind::invalid_input,
        fmt::format(
            "table {} has no column '{}'{}; its columns are {}",
            table.name,
            name,
            nearest.empty() ? "" : fmt::format(", did you mean '{}'?", nearest),
            fmt::join(names, ", ")
        )
    );
}

}  // namespace

Result<std::vector<Condition>> parse_conditions(
    const storage::Table& table, std::span<const std::string> words
) {
    std::vector<Condition> conditions;
    for (const std::string& word : words) {
        const std::size_t mark = word.find('=');
        if (mark == std::string::npos) {
            return fail(
                ErrorKind::invalid_input, fmt::format("--where takes COLUMN=VALUE, not '{}'", word)
            );
        }
        const std::string_view text = word;
        TRY(const std::size_t column, find_column(table, text.substr(0, mark)));
        if (is_given(conditions, column)) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format("column {} is given twice", table.column(column).name)
            );
        }
        TRY(storage::Value value, parse_value(table.column(column), text.substr(mark + 1)));
        conditions.push_back({.column = column, .value = std::move(value)});
    }
    return conditions;
}

std::vector<std::string_view> open_partition(
    const storage::Table& table, std::span<const Condition> conditions
) {
    std::vector<std::string_view> open;
    for (std::size_t at = 0; at < table.partition.size(); ++at) {
        if (!is_given(conditions, at)) {
            open.push_back(table.partition[at].name);
        }
    }
    return open;
}

bool meets(const storage::Rows& rows, std::size_t row, std::span<const Condition> conditions) {
    return std::ranges::all_of(conditions, [&](const Condition& condition) {
        return rows.at(row, condition.column) == storage::ValueView{condition.value};
    });
}

}  // namespace footfall::showing
