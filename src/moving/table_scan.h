#pragma once

#include "foundation/result.h"
#include "moving/row_file.h"
#include "storage/blocking.h"
#include "storage/store.h"
#include "storage/table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace footfall::moving {

/// Whether a row with this time in its expiry column counts at `moment` (microseconds).
constexpr bool lives_at(std::int64_t expires, std::int64_t moment) {
    return expires == 0 || expires > moment;
}

/// All rows of a table, encoded, page after page, by a thread that may wait. Pages are as large as
/// rows are: up to 4 MiB, and a page of more makes the next ones shorter. Not thread-safe.
class TableScan {
public:
    /// Begins at `cursor`: empty, or cursor() of a scan of before.
    TableScan(storage::Store& store, const storage::Table& table, std::string cursor);

    /// Reads the next page; false, and no rows, behind the last.
    Result<bool> next_page();

    /// Calls `take(EncodedRow, expires)` with each row of the page, and returns its first failure.
    template <class Take>
    Result<void> for_each(const Take& take) {
        const storage::Rows& rows = page_.rows;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            encode(row);
            const std::int64_t expires =
                expires_ < table_.width() ? rows.at(row, expires_).number() : 0;
            TRY_VOID(take(EncodedRow{.key = key_, .values = values_}, expires));
        }
        return {};
    }

    /// Behind the last page read.
    const std::string& cursor() const { return cursor_; }

private:
    void encode(std::size_t row);

    storage::Store& store_;
    const storage::Table& table_;
    const std::size_t expires_;
    std::string cursor_;
    bool ended_ = false;
    std::size_t page_rows_;
    storage::Page page_;
    std::vector<storage::ValueView> columns_;
    std::string key_;
    std::string values_;
};

}  // namespace footfall::moving
