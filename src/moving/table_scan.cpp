#include "moving/table_scan.h"

#include "storage/key_codec.h"

#include <algorithm>
#include <span>
#include <utility>

namespace footfall::moving {
namespace {

constexpr std::size_t page_bytes = 4 << 20;
constexpr std::size_t first_page_rows = 100;
constexpr std::size_t page_rows_max = 5'000;

}  // namespace

TableScan::TableScan(storage::Store& store, const storage::Table& table, std::string cursor)
    : store_{store},
      table_{table},
      expires_{table.expires_index()},
      cursor_{std::move(cursor)},
      page_rows_{first_page_rows},
      page_{.rows = storage::Rows{table}, .continuation = {}} {}

Result<bool> TableScan::next_page() {
    if (ended_) {
        page_.rows = storage::Rows{table_};
        return false;
    }
    TRY(page_,
        storage::scan_page(
            store_,
            {.table = &table_,
             .max_rows = page_rows_,
             .max_bytes = page_bytes,
             .continuation = cursor_}
        ));
    // A store may have to hold all rows it was asked for, whatever their size.
    page_rows_ = page_.rows.bytes() > page_bytes / 2 ? std::max<std::size_t>(1, page_rows_ / 2)
                                                     : std::min(page_rows_max, page_rows_ * 2);
    cursor_ = page_.continuation;
    ended_ = cursor_.empty();
    return true;
}

void TableScan::encode(std::size_t row) {
    columns_.clear();
    for (std::size_t column = 0; column < table_.width(); ++column) {
        columns_.push_back(page_.rows.at(row, column));
    }
    const std::span<const storage::ValueView> columns{columns_};
    key_.clear();
    values_.clear();
    storage::append_key(table_, columns.first(table_.key_width()), key_);
    storage::append_row_values(table_, columns.subspan(table_.key_width()), values_);
}

}  // namespace footfall::moving
