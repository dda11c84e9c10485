#pragma once

#include "foundation/result.h"
#include "foundation/siphash.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::storage_rocksdb {

/// A row that waits in memory to be written in sorted bulk. Constant; lives in its Generation.
struct PendingRow {
    const PendingRow* previous;  ///< The one before it whose partition has the same hash, or null.
    const char* start;           ///< The key; the value follows it.
    std::uint32_t order;  ///< Its place in the generation: of two with one key the later counts.
    std::uint32_t key_length;
    std::uint32_t value_length;
    std::uint16_t partition_length;
    std::uint16_t table_and_kind;

    std::string_view key() const { return {start, key_length}; }

    std::string_view partition() const { return {start, partition_length}; }

    std::string_view value() const { return {start + key_length, value_length}; }

    std::uint32_t table() const { return table_and_kind >> 1; }

    bool erase() const { return (table_and_kind & 1) != 0; }
};

/// Rows of one partition, ordered by key, the latest of each key.
using SortedRows = std::vector<const PendingRow*>;

/// One partition of one table, as the buffer looks it up.
struct PartitionKey {
    std::uint32_t table;
    std::string_view partition;
    std::uint64_t hash;  ///< hash_partition() of both.

    bool holds(const PendingRow& row) const {
        return row.table() == table && row.partition() == partition;
    }
};

/// Keyed, since outsiders choose the names of partitions.
std::uint64_t hash_partition(SipKey secret, std::uint32_t table, std::string_view partition);

/// The bulk rows of consecutive blocks, kept until they are ingested together. Grows by append();
/// rows never move, so whoever holds newest() may walk from there without a lock. append() and
/// newest() are guarded by the owner (PendingRows); the rest is thread-safe.
///
/// Memory: the blocks' bytes, 32 bytes a row, about 20 a partition, and about 20 a row of a table
/// that is looked up by key.
class Generation {
public:
    /// Room for so many partitions and keys is made at once: making it when they come would keep
    /// readers waiting for milliseconds.
    explicit Generation(
        SipKey secret,
        std::vector<std::uint32_t> tables_by_key = {},
        std::size_t partitions = 0,
        std::size_t keys = 0
    )
        : secret_{secret}, tables_by_key_{std::move(tables_by_key)} {
        newest_.reserve(partitions);
        newest_of_key_.reserve(keys);
    }

    Generation(const Generation&) = delete;
    Generation& operator=(const Generation&) = delete;
    ~Generation() = default;

    /// Takes the bulk rows of a block. `corrupt` if they are none; nothing is taken then.
    Result<void> append(std::uint64_t block, std::string rows);

    /// The last row taken whose partition has this hash (others may share it), or null.
    const PendingRow* newest(std::uint64_t hash) const;

    /// The last row taken with this key, of a table that is looked up by key, or null; `hash` is
    /// hash_partition() of the whole key. Guarded as newest().
    const PendingRow* newest_of_key(std::uint32_t table, std::string_view key, std::uint64_t hash)
        const;

    bool is_by_key(std::uint32_t table) const {
        return std::ranges::find(tables_by_key_, table) != tables_by_key_.end();
    }

    std::size_t bytes() const { return bytes_; }

    std::size_t size() const { return size_; }

    std::size_t partitions() const { return newest_.size(); }

    std::size_t keys() const { return newest_of_key_.size(); }

    bool empty() const { return size_ == 0; }

    std::uint64_t last_block() const { return last_block_; }

    /// The rows of each block, in order of writing. For a generation that grows no more.
    template <class Function>
    void for_each_row(const Function& function) const {
        for (const Part& part : parts_) {
            for (const PendingRow& row : std::span{part.rows.get(), part.count}) {
                function(row);
            }
        }
    }

    /// The rows of a partition up to `newest`, which newest() answered; rows appended since may be
    /// among them. Costs a walk over all of them the first time; long ones are kept in order, so
    /// that the next time costs only what came since.
    std::shared_ptr<const SortedRows> sorted(const PendingRow* newest, const PartitionKey& key)
        const;

    /// The latest row with this key up to `newest`, or null.
    const PendingRow* find(
        const PendingRow* newest, const PartitionKey& partition, std::string_view key
    ) const;

private:
    struct Part {
        std::string bytes;
        std::unique_ptr<PendingRow[]> rows;
        std::size_t count;
    };

    struct Kept {
        const PendingRow* newest;
        std::shared_ptr<const SortedRows> rows;
    };

    Kept kept(const PartitionKey& key) const;
    void note_key(const PendingRow& row);

    const SipKey secret_;
    const std::vector<std::uint32_t> tables_by_key_;  // one or two
    std::deque<Part> parts_;  // not a vector: short strings would move with it
    boost::unordered_flat_map<std::uint64_t, const PendingRow*> newest_;
    boost::unordered_flat_map<std::uint64_t, const PendingRow*> newest_of_key_;
    std::vector<const PendingRow*> same_hash_;  // of keys that others took the place of; hardly any
    std::size_t bytes_ = 0;
    std::size_t size_ = 0;
    std::uint64_t last_block_ = 0;

    mutable std::mutex kept_mutex_;
    mutable boost::unordered_flat_map<std::uint64_t, Kept> kept_;  // guarded by kept_mutex_
};

}  // namespace footfall::storage_rocksdb
