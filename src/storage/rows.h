#pragma once

#include "storage/table.h"
#include "storage/value.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace footfall::storage {

/// Values packed one behind the other: texts share one buffer, so a page of rows costs two
/// allocations, not one a value. Not thread-safe.
class Cells {
public:
    void push(const ValueView& value);

    std::size_t size() const { return cells_.size(); }

    /// Valid until the next push or clear.
    ValueView at(std::size_t index) const;

    /// Bytes held, for limits on memory.
    std::size_t bytes() const { return texts_.size() + cells_.size() * sizeof(Cell); }

    void clear();

private:
    struct Cell {
        std::int64_t number;  ///< The number itself, or where the text starts in `texts_`.
        std::uint32_t length;
        bool is_text;
    };

    std::string texts_;
    std::vector<Cell> cells_;
};

/// Rows of one table, all columns, in the order they were appended. Not thread-safe.
class Rows {
public:
    explicit Rows(const Table& table) : table_{&table} {}

    const Table& table() const { return *table_; }

    std::size_t size() const { return cells_.size() / table_->width(); }

    bool empty() const { return size() == 0; }

    std::size_t bytes() const { return cells_.bytes(); }

    /// `column` counts partition, clustering and value columns in this order. Valid until the next
    /// append.
    ValueView at(std::size_t row, std::size_t column) const {
        return cells_.at(row * table_->width() + column);
    }

    /// One value a column, of the column's type.
    void append(std::span<const ValueView> values);

private:
    const Table* table_;
    Cells cells_;
};

}  // namespace footfall::storage
