#include "storage_cassandra/answered_rows.h"

#include "storage/key_codec.h"
#include "storage_cassandra/statements.h"

#include <fmt/format.h>

#include <vector>

namespace footfall::storage_cassandra {

using storage::Rows;
using storage::Table;
using storage::Value;
using storage::ValueView;

Result<std::vector<ValueView>> answered_columns(
    const Table& table,
    std::span<const Value> known,
    const Answer& answer,
    std::size_t row,
    OtherDecimals& decimals
) {
    std::vector<ValueView> columns = storage::views_of(known);
    columns.reserve(table.width());
    const std::size_t first = first_answered(table, known.size());
    if (answer.columns() != table.width() - first) {
        return fail(
            ErrorKind::corrupt,
            fmt::format("table {}: {} columns answered", table.name, answer.columns())
        );
    }
    for (std::size_t at = known.size(); at < table.width(); ++at) {
        TRY(const ValueView value,
            value_of(table.column(at).type, answer.cell(row, at - first), decimals));
        columns.push_back(value);
    }
    return columns;
}

Result<void> append_answered(
    Rows& rows, std::span<const Value> known, const Answer& answer, std::size_t row
) {
    OtherDecimals decimals;
    TRY(const std::vector<ValueView> columns,
        answered_columns(rows.table(), known, answer, row, decimals));
    rows.append(columns);
    return {};
}

std::string key_of_last(const Rows& rows) {
    const Table& table = rows.table();
    std::vector<ValueView> key;
    key.reserve(table.key_width());
    for (std::size_t at = 0; at < table.key_width(); ++at) {
        key.push_back(rows.at(rows.size() - 1, at));
    }
    std::string bytes;
    append_key(table, key, bytes);
    return bytes;
}

void push_values(
    CellBuffer& cells, const Table& table, std::size_t first, std::span<const Value> values
) {
    for (std::size_t at = 0; at < values.size(); ++at) {
        cells.push(table.column(first + at).type, ValueView{values[at]});
    }
}

}  // namespace footfall::storage_cassandra
