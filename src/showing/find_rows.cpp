#include "showing/find_rows.h"

#include "foundation/check.h"
#include "storage/blocking.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace footfall::showing {
namespace {

constexpr std::uint64_t page_rows = 1000;
constexpr std::size_t page_bytes = 4 << 20;

const storage::Value* value_of(std::span<const Condition> conditions, std::size_t column) {
    const auto found = std::ranges::find(conditions, column, &Condition::column);
    return found == conditions.end() ? nullptr : &found->value;
}

/// The one partition that can have such rows; absent: any can.
std::optional<storage::RangeQuery> range_of(const RowsWanted& wanted) {
    const storage::Table& table = *wanted.table;
    if (!open_partition(table, wanted.conditions).empty()) {
        return std::nullopt;
    }
    storage::RangeQuery query{.table = &table, .max_bytes = page_bytes};
    for (std::size_t at = 0; at < table.key_width(); ++at) {
        const storage::Value* const value = value_of(wanted.conditions, at);
        if (value == nullptr) {
            break;  // what follows is no beginning of a key
        }
        (at < table.partition.size() ? query.partition : query.from).push_back(*value);
    }
    query.through = query.from;
    return query;
}

}  // namespace

Result<RowsFound> find_rows(
    storage::Store& store, const RowsWanted& wanted, const std::function<void(RowInPage)>& take
) {
    CHECK(wanted.rows_max > 0 && wanted.looks_max > 0, "nothing is wanted");
    std::optional<storage::RangeQuery> range = range_of(wanted);
    storage::ScanQuery scan{.table = wanted.table, .max_bytes = page_bytes};
    RowsFound found;
    std::string continuation;
    do {
        const std::uint64_t looks = std::min(page_rows, wanted.looks_max - found.looks);
        storage::Page page{.rows = storage::Rows{*wanted.table}, .continuation = {}};
        if (range) {
            range->max_rows = looks;
            range->continuation = continuation;
            TRY(page, read_page(store, *range));
        } else {
            scan.max_rows = looks;
            scan.continuation = continuation;
            TRY(page, scan_page(store, scan));
        }
        continuation = std::move(page.continuation);
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            ++found.looks;
            if (!meets(page.rows, row, wanted.conditions)) {
                continue;
            }
            take({.rows = &page.rows, .at = row});
            const bool is_last = row + 1 == page.rows.size() && continuation.empty();
            if (++found.rows == wanted.rows_max && !is_last) {
                found.end = RowsFound::End::rows_max;
                return found;
            }
        }
        if (!continuation.empty() && found.looks >= wanted.looks_max) {
            found.end = RowsFound::End::looks_max;
            return found;
        }
    } while (!continuation.empty());
    return found;
}

}  // namespace footfall::showing
