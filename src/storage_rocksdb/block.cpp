#include "storage_rocksdb/block.h"

#include "foundation/check.h"
#include "foundation/varint.h"

#include <algorithm>
#include <array>
#include <limits>

namespace footfall::storage_rocksdb {

using storage::Batch;
using storage::Table;

std::string block_key(std::uint64_t number) {
    std::string key(sizeof(number), '\0');
    for (std::size_t at = 0; at < key.size(); ++at) {
        key[at] = static_cast<char>(number >> (8 * (key.size() - 1 - at)));
    }
    return key;
}

std::uint64_t block_number(std::string_view key) {
    std::uint64_t number = 0;
    for (const char byte : key) {
        number = number << 8 | static_cast<unsigned char>(byte);
    }
    return number;
}

void append_row(const BlockRow& row, std::string& rows) {
    std::array<char, 4 * varint_bytes_max> head;
    char* end = put_varint(std::uint64_t{row.table} << 1 | (row.erase ? 1 : 0), head.data());
    end = put_varint(row.partition_length, end);
    end = put_varint(row.key.size(), end);
    end = put_varint(row.value.size(), end);
    rows.append(head.data(), end);
    rows.append(row.key);
    rows.append(row.value);
}

bool take_row(std::string_view& rows, BlockRow& row) {
    std::uint64_t table_and_kind = 0;
    std::uint64_t partition_length = 0;
    std::uint64_t key_length = 0;
    std::uint64_t value_length = 0;
    if (!take_varint(rows, table_and_kind) || !take_varint(rows, partition_length) ||
        !take_varint(rows, key_length) || !take_varint(rows, value_length) ||
        table_and_kind >> 1 > std::numeric_limits<std::uint32_t>::max() ||
        partition_length > key_length || key_length > rows.size() ||
        value_length > rows.size() - key_length) {
        return false;
    }
    row = {
        .table = static_cast<std::uint32_t>(table_and_kind >> 1),
        .erase = (table_and_kind & 1) != 0,
        .partition_length = static_cast<std::uint32_t>(partition_length),
        .key = rows.substr(0, key_length),
        .value = rows.substr(key_length, value_length)
    };
    rows.remove_prefix(key_length + value_length);
    return true;
}

std::uint32_t TableNumbers::of(const Table& table) const {
    const auto found =
        std::ranges::find(numbers_, &table, [](const auto& each) { return each.first; });
    CHECK(found != numbers_.end(), "a table the store was not opened with", table.name);
    return found->second;
}

const Table* TableNumbers::table(std::uint32_t number) const {
    const auto found =
        std::ranges::find(numbers_, number, [](const auto& each) { return each.second; });
    return found != numbers_.end() ? found->first : nullptr;
}

void append_batch(const Batch& batch, const TableNumbers& numbers, Block& block) {
    batch.for_each([&](const Batch::Mutation& mutation) {
        append_row(
            {.table = numbers.of(*mutation.table),
             .erase = mutation.kind == Batch::Kind::erase,
             .partition_length = static_cast<std::uint32_t>(mutation.partition_length),
             .key = mutation.key,
             .value = mutation.values},
            mutation.table->bulk ? block.bulk_rows : block.rows
        );
    });
}

}  // namespace footfall::storage_rocksdb
