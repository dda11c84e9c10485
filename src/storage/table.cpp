#include "storage/table.h"

#include "foundation/check.h"
#include "storage/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace footfall::storage {
namespace {

bool is_plain_name(std::string_view name) {
    return !name.empty() && name.size() <= 40 && name.front() >= 'a' && name.front() <= 'z' &&
           std::ranges::all_of(name, [](char letter) {
               return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') ||
                      letter == '_';
           });
}

}  // namespace

const Column& Table::column(std::size_t index) const {
    CHECK(index < width(), "no such column", name, index);
    if (index < partition.size()) {
        return partition[index];
    }
    index -= partition.size();
    return index < clustering.size() ? clustering[index] : values[index - clustering.size()];
}

std::size_t Table::expires_index() const {
    for (std::size_t at = 0; at < values.size(); ++at) {
        if (!expires.empty() && values[at].name == expires) {
            return key_width() + at;
        }
    }
    return width();
}

ValueView absent_value(ColumnType type) {
    static const DecimalBytes zero{0};
    if (type == ColumnType::decimal) {
        return zero.view();
    }
    return is_number(type) ? ValueView{std::int64_t{0}} : ValueView{std::string_view{}};
}

Result<void> check_table(const Table& table) {
    if (!is_plain_name(table.name)) {
        return fail(
            ErrorKind::invalid_input, fmt::format("table name \"{}\" is not lower_case", table.name)
        );
    }
    if (table.partition.empty()) {
        return fail(
            ErrorKind::invalid_input, fmt::format("table {} has no partition column", table.name)
        );
    }
    std::set<std::string_view> names;
    for (std::size_t at = 0; at < table.width(); ++at) {
        const Column& column = table.column(at);
        if (!is_plain_name(column.name) || !names.insert(column.name).second) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "table {}: column \"{}\" is not lower_case or stands twice",
                    table.name,
                    column.name
                )
            );
        }
    }
    for (std::size_t at = 0; at < table.key_width(); ++at) {
        if (table.column(at).type == ColumnType::decimal) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "table {}: column {} is a decimal, which no key has",
                    table.name,
                    table.column(at).name
                )
            );
        }
    }
    if (!table.expires.empty()) {
        const std::size_t index = table.expires_index();
        if (index == table.width() || table.column(index).type != ColumnType::timestamp) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format("table {}: expires names no timestamp value column", table.name)
            );
        }
    }
    const auto is_whole_number = [&](std::size_t at, std::string_view name) {
        return at < table.values.size() && table.values[at].name == name &&
               table.values[at].type == ColumnType::integer;
    };
    if (table.of_record && !(is_whole_number(0, "log") && is_whole_number(1, "lane") &&
                             is_whole_number(2, "offset"))) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "table {}: of_record, but no log, lane, offset before all values", table.name
            )
        );
    }
    if (table.secret && table.bulk) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("table {}: secret rows would stand in the files of bulk rows", table.name)
        );
    }
    return {};
}

}  // namespace footfall::storage
