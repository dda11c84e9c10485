#include "views/row_cells.h"

#include "storage/blocking.h"
#include "views/schema.h"

#include <string>
#include <utility>

namespace footfall::views {
namespace {

Result<void> read_table(
    storage::Store& store,
    const storage::Table& table,
    const RowMark& mark,
    const std::vector<storage::Value>& partition,
    RowCells& cells
) {
    TRY(const storage::Rows rows, read_all(store, {.table = &table, .partition = partition}));
    const std::size_t writer = table.key_width() - 1;
    const bool by_day = &table == mark.tables.day;
    Reasons reasons;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows.at(row, writer).text() != mark.writer) {
            continue;
        }
        TRY(StoredCell stored, read_row(rows, row, reasons, mark.sketch_key));
        RowCell& cell = cells[by_day ? static_cast<Day>(rows.at(row, 2).number()) : lifetime];
        for (std::size_t at = 0; at < stored.counts.size(); ++at) {
            const Counts::Entry entry = stored.counts.at(at);
            cell.counts.add(reasons.text_of(entry.reason), entry.events);
        }
        cell.people = std::move(stored.people);
        cell.through = stored.through;
    }
    return {};
}

}  // namespace

Result<RowCells> read_row_cells(
    storage::Store& store, const RowMark& mark, std::string_view action, std::string_view object
) {
    const std::vector<storage::Value> partition{std::string{action}, std::string{object}};
    RowCells cells;
    TRY_VOID(read_table(store, *mark.tables.day, mark, partition, cells));
    TRY_VOID(read_table(store, *mark.tables.total, mark, partition, cells));
    return cells;
}

}  // namespace footfall::views
