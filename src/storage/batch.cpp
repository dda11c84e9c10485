#include "storage/batch.h"

#include "foundation/check.h"

namespace footfall::storage {

void Batch::upsert(const Table& table, std::initializer_list<ValueView> values) {
    upsert(table, std::span{values.begin(), values.size()});
}

void Batch::upsert(const Table& table, std::span<const ValueView> values) {
    CHECK(values.size() == table.width(), "an upsert has all columns", table.name, values.size());
    note_upsert(table, append_row(table, values, bytes_));
}

std::span<char> Batch::upsert_before_text(
    const Table& table, std::initializer_list<ValueView> values, std::size_t text_bytes
) {
    const auto is_free = [](ColumnType type) {
        return type == ColumnType::text || type == ColumnType::bytes;
    };
    CHECK(
        values.size() + 1 == table.width() && is_free(table.values.back().type),
        "all columns but a text, the last",
        table.name,
        values.size()
    );
    note_upsert(
        table,
        append_row_before_text(table, std::span{values.begin(), values.size()}, text_bytes, bytes_)
    );
    return std::span{bytes_}.last(text_bytes);
}

void Batch::note_upsert(const Table& table, const RowBytes& bytes) {
    entries_.push_back(
        {.table = &table,
         .partition = bytes.partition,
         .key = bytes.key,
         .values = bytes.values,
         .kind = Kind::upsert}
    );
}

void Batch::erase(const Table& table, std::initializer_list<ValueView> key) {
    erase(table, std::span{key.begin(), key.size()});
}

void Batch::erase(const Table& table, std::span<const ValueView> key) {
    CHECK(key.size() == table.key_width(), "an erase has the whole key", table.name, key.size());
    const std::size_t start = bytes_.size();
    append_key(table, key.first(table.partition.size()), bytes_);
    const std::size_t partition_end = bytes_.size();
    append_clustering(table, key.subspan(table.partition.size()), bytes_);
    entries_.push_back(
        {.table = &table,
         .partition = static_cast<std::uint32_t>(partition_end - start),
         .key = static_cast<std::uint32_t>(bytes_.size() - start),
         .values = 0,
         .kind = Kind::erase}
    );
}

void Batch::append(const Mutation& mutation) {
    bytes_.append(mutation.key).append(mutation.values);
    entries_.push_back(
        {.table = mutation.table,
         .partition = static_cast<std::uint32_t>(mutation.partition_length),
         .key = static_cast<std::uint32_t>(mutation.key.size()),
         .values = static_cast<std::uint32_t>(mutation.values.size()),
         .kind = mutation.kind}
    );
}

void Batch::clear() {
    entries_.clear();
    bytes_.clear();
}

}  // namespace footfall::storage
