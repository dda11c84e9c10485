#include "storage/key_order.h"

#include "foundation/check.h"

#include <algorithm>

namespace footfall::storage {
namespace {

std::strong_ordering compare_values(const Column& column, const Value& left, const Value& right) {
    CHECK(left.index() == right.index(), "values of two types in one column", column.name);
    if (is_number(column.type)) {
        return std::get<std::int64_t>(left) <=> std::get<std::int64_t>(right);
    }
    return std::get<std::string>(left) <=> std::get<std::string>(right);
}

}  // namespace

std::strong_ordering compare_keys(
    const Table& table, std::span<const Value> left, std::span<const Value> right
) {
    const std::size_t shared = std::min({left.size(), right.size(), table.key_width()});
    for (std::size_t at = 0; at < shared; ++at) {
        const Column& column = table.column(at);
        const std::strong_ordering order = compare_values(column, left[at], right[at]);
        if (order != std::strong_ordering::equal) {
            return column.order == Order::descending ? 0 <=> order : order;
        }
    }
    return std::strong_ordering::equal;
}

}  // namespace footfall::storage
