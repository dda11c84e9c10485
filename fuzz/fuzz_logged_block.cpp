#include "foundation/check.h"
#include "storage_rocksdb/logged_block.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

// The input is a record of a write-ahead log, as a backup has them. Whatever it holds: it is
// refused, or its rows are whole and of tables that are known.

namespace footfall::storage_rocksdb {
namespace {

const storage::Table rows_of_log{
    .name = "rows_of_log",
    .purpose = "Rows of a log.",
    .partition = {{"key", storage::ColumnType::text}},
    .clustering = {},
    .values = {{"value", storage::ColumnType::text}}
};

void check_rows(std::string_view rows, const TableNumbers& tables) {
    BlockRow row;
    while (!rows.empty()) {
        CHECK(take_row(rows, row), "rows are whole");
        CHECK(tables.table(row.table) != nullptr, "of a table that is known", row.table);
    }
}

void check_record(std::string_view record) {
    TableNumbers tables;
    tables.add(rows_of_log, 1);
    const auto block = read_logged_block(record, {.tables = &tables, .blocks = 2, .of_store = 0});
    if (!block) {
        return;
    }
    check_rows(block->rows.rows, tables);
    check_rows(block->rows.bulk_rows, tables);
    if (block->stamp) {
        const auto again = decode_stamp(encode_stamp(*block->stamp));
        CHECK(again && *again == *block->stamp, "a stamp is written as it was read");
    }
}

}  // namespace
}  // namespace footfall::storage_rocksdb

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    footfall::storage_rocksdb::check_record({reinterpret_cast<const char*>(data), size});
    return 0;
}
