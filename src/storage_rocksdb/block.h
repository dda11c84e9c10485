#pragma once

#include "foundation/result.h"
#include "storage/batch.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::storage_rocksdb {

/// One write of a row as a block holds it (docs/formats/blocks.md). The views point into the block.
struct BlockRow {
    /// RocksDB's number of the table's column family: the same for the life of the directory.
    std::uint32_t table = 0;
    bool erase = false;
    std::uint32_t partition_length = 0;  ///< So many leading bytes of the key are the partition.
    std::string_view key;
    std::string_view value;  ///< Empty when it erases.
};

void append_row(const BlockRow& row, std::string& rows);

/// Takes the first row off `rows`; false if they do not start with one.
bool take_row(std::string_view& rows, BlockRow& row);

/// What is written together, as one record of the log: rows one behind the other, in the order of
/// submission. Not thread-safe.
struct Block {
    std::string rows;       ///< Of ordinary tables.
    std::string bulk_rows;  ///< Of tables declared bulk.

    std::size_t bytes() const { return rows.size() + bulk_rows.size(); }

    bool empty() const { return rows.empty() && bulk_rows.empty(); }

    void append(const Block& other) {
        rows += other.rows;
        bulk_rows += other.bulk_rows;
    }
};

/// The key of a block's row: its number, so that blocks stand in the order they were written.
std::string block_key(std::uint64_t number);
std::uint64_t block_number(std::string_view key);

/// The tables' numbers. Constant once the database was opened for the first time.
class TableNumbers {
public:
    void add(const storage::Table& table, std::uint32_t number) {
        numbers_.emplace_back(&table, number);
    }

    bool empty() const { return numbers_.empty(); }

    /// `table` must be one of those added.
    std::uint32_t of(const storage::Table& table) const;

    /// The table with this number, or null.
    const storage::Table* table(std::uint32_t number) const;

private:
    std::vector<std::pair<const storage::Table*, std::uint32_t>> numbers_;  // a handful
};

/// Appends the rows of `batch`, encoded by their tables' declarations, to `block`.
void append_batch(const storage::Batch& batch, const TableNumbers& numbers, Block& block);

}  // namespace footfall::storage_rocksdb
