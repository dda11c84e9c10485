#pragma once

#include "storage/key_codec.h"
#include "storage/table.h"
#include "storage/value.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::storage {

/// Writes that are sent together. Embedded, a batch is atomic as a whole; distributed, within each
/// partition. Every mutation is idempotent.
///
/// Rows are encoded once, as they come (key_codec.h): a store of bytes copies them, another one
/// decodes them. Not thread-safe; reusable after clear().
class Batch {
public:
    enum class Kind { upsert, erase };

    /// What is written of one row, encoded. The views last until the batch changes.
    struct Mutation {
        Kind kind;
        const Table* table;
        std::size_t partition_length;  ///< So many leading bytes of the key are the partition.
        std::string_view key;
        std::string_view values;  ///< Empty when it erases.
    };

    /// Puts a row, all its columns in the table's order, in place of whatever stands under its key.
    void upsert(const Table& table, std::initializer_list<ValueView> values);
    void upsert(const Table& table, std::span<const ValueView> values);

    /// Puts a row whose last column is a text of so many bytes, which the caller writes to what is
    /// answered before anything else is done with the batch. Spares a long text a copy.
    std::span<char> upsert_before_text(
        const Table& table, std::initializer_list<ValueView> values, std::size_t text_bytes
    );

    /// Removes the row with this key (partition and clustering columns), if there is one.
    void erase(const Table& table, std::initializer_list<ValueView> key);
    void erase(const Table& table, std::span<const ValueView> key);

    /// Adds a mutation of another batch.
    void append(const Mutation& mutation);

    /// How many mutations.
    std::size_t size() const { return entries_.size(); }

    /// Calls `take` with each mutation, in order.
    template <class Take>
    void for_each(Take take) const {
        std::string_view left{bytes_};
        for (const Entry& entry : entries_) {
            take(Mutation{
                .kind = entry.kind,
                .table = entry.table,
                .partition_length = entry.partition,
                .key = left.substr(0, entry.key),
                .values = left.substr(entry.key, entry.values)
            });
            left.remove_prefix(std::size_t{entry.key} + entry.values);
        }
    }

    bool empty() const { return entries_.empty(); }

    /// Bytes held, for limits on memory.
    std::size_t bytes() const { return bytes_.size() + entries_.size() * sizeof(Entry); }

    void clear();

private:
    void note_upsert(const Table& table, const RowBytes& bytes);

    struct Entry {
        const Table* table;
        std::uint32_t partition;
        std::uint32_t key;
        std::uint32_t values;
        Kind kind;
    };

    std::vector<Entry> entries_;
    std::string bytes_;  ///< Keys and values of all entries, one behind the other.
};

}  // namespace footfall::storage
