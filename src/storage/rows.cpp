#include "storage/rows.h"

#include "foundation/check.h"

#include <limits>

namespace footfall::storage {
namespace {

void check_types(const Table& table, std::span<const ValueView> values) {
    for (std::size_t at = 0; at < values.size(); ++at) {
        CHECK(
            values[at].is_text() != is_number(table.column(at).type),
            "a value of the wrong type",
            table.name,
            table.column(at).name
        );
    }
}

}  // namespace

void Cells::push(const ValueView& value) {
    if (!value.is_text()) {
        cells_.push_back({.number = value.number(), .length = 0, .is_text = false});
        return;
    }
    const std::string_view text = value.text();
    CHECK(
        text.size() <= std::numeric_limits<std::uint32_t>::max(),
        "a value of more than 4 GiB",
        text.size()
    );
    cells_.push_back(
        {.number = static_cast<std::int64_t>(texts_.size()),
         .length = static_cast<std::uint32_t>(text.size()),
         .is_text = true}
    );
    texts_.append(text);
}

ValueView Cells::at(std::size_t index) const {
    const Cell& cell = cells_[index];
    if (!cell.is_text) {
        return cell.number;
    }
    return std::string_view{texts_}.substr(static_cast<std::size_t>(cell.number), cell.length);
}

void Cells::clear() {
    texts_.clear();
    cells_.clear();
}

void Rows::append(std::span<const ValueView> values) {
    CHECK(values.size() == table_->width(), "a row has all columns", table_->name, values.size());
    check_types(*table_, values);
    for (const ValueView& value : values) {
        cells_.push(value);
    }
}

}  // namespace footfall::storage
