#pragma once

#include "foundation/result.h"
#include "foundation/siphash.h"
#include "storage_rocksdb/generation.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::storage_rocksdb {

/// Rows of a part of a partition, in order, the latest of each key. Made by PendingPartition.
class PendingCursor {
public:
    /// The row it stands on, or null behind the last.
    const PendingRow* row() const { return row_; }

    void next();

private:
    friend class PendingPartition;

    struct Part {
        std::shared_ptr<const SortedRows> rows;
        std::size_t at;
        std::size_t end;
    };

    std::vector<Part> parts_;  // the newest generation first
    const PendingRow* row_ = nullptr;
};

/// What waited of one partition at one moment. Keeps its rows in memory. Not thread-safe.
class PendingPartition {
public:
    /// The latest row with this key, or null.
    const PendingRow* find(std::string_view key) const;

    /// The rows with first <= key < end; an empty `end` is behind all.
    PendingCursor range(std::string_view first, std::string_view end) const;

private:
    friend class PendingRows;

    struct Part {
        std::shared_ptr<const Generation> generation;
        const PendingRow* newest;
    };

    std::uint32_t table_ = 0;
    std::string partition_;
    std::uint64_t hash_ = 0;
    std::vector<Part> parts_;  // the newest generation first
};

/// The latest row of a key at one moment, or none. Keeps it in memory.
struct PinnedRow {
    std::shared_ptr<const Generation> generation = {};
    const PendingRow* row = nullptr;
};

/// The bulk rows of durable blocks, until they are written in sorted bulk: generations, of which
/// only the last grows. A row can be read from the moment its block is durable; rows in here count
/// before those in the database's files.
///
/// Thread-safe: append() and what changes generations are short and under one mutex; readers hold
/// it only to pin what they read.
class PendingRows {
public:
    struct Limits {
        std::size_t bytes = 64 << 20;             ///< What fill() is measured by.
        std::size_t generation_bytes = 16 << 20;  ///< A generation of this size is sealed.
    };

    explicit PendingRows(Limits limits);

    /// From now on row() may be asked for rows of these tables. Before anything is appended.
    void find_by_key(std::vector<std::uint32_t> tables);

    /// Takes the bulk rows of a block. `corrupt` if they are none.
    Result<void> append(std::uint64_t block, std::string rows);

    /// How much of the limit is used: 1 is all of it.
    double fill() const;

    std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

    std::size_t rows() const { return rows_.load(std::memory_order_relaxed); }

    /// What waits of a partition now.
    PendingPartition partition(std::uint32_t table, std::string_view key) const;

    /// What waits now of a key, of a table of find_by_key(). Costs the same however long the
    /// partition is.
    PinnedRow row(std::uint32_t table, std::string_view key) const;

    /// Changes when a generation begins to move into the files and when it is about to leave
    /// memory. A reader that asked partition() first and opened its snapshot of the files then has
    /// both at one moment, if this has not changed meanwhile; and a snapshot serves all readers of
    /// the same moment.
    std::uint64_t moment() const { return moment_.load(std::memory_order_acquire); }

    /// Lets the last generation grow no more, so that it will be written. How many generations
    /// were sealed up to now: what waits now is in them.
    std::uint64_t seal();

    /// The oldest sealed generation; waits for one. Null when `stop` was asked.
    std::shared_ptr<const Generation> wait_for_sealed(const std::stop_token& stop);

    /// Called right before the oldest generation is ingested, and drop_oldest() after it.
    void begin_ingest() { moment_.fetch_add(1, std::memory_order_acq_rel); }

    void drop_oldest();

    /// Waits until so many generations that were sealed are written, or none is left; false when it
    /// takes longer than `patience`.
    bool wait_until_written(
        std::chrono::milliseconds patience,
        std::uint64_t generations = std::numeric_limits<std::uint64_t>::max()
    ) const;

    /// Changes with each clear(), and from process to process: while it stays the same, rows that
    /// left for the files are there.
    std::uint64_t epoch() const { return epoch_.load(std::memory_order_acquire); }

    /// Forgets everything: what is durable will be read again from the database. Until complete()
    /// is called nothing may be read.
    void clear();

    /// All that is durable and stands in no file is here.
    void complete() { is_complete_.store(true, std::memory_order_release); }

    bool is_complete() const { return is_complete_.load(std::memory_order_acquire); }

private:
    void seal_locked();
    void count_locked();

    const SipKey secret_;  ///< Of this process: nothing that is stored depends on it.
    const Limits limits_;
    std::vector<std::uint32_t> tables_by_key_;  // constant from the first row on
    mutable std::mutex mutex_;
    mutable std::condition_variable_any changed_;
    std::shared_ptr<Generation> growing_;                   // guarded by mutex_
    std::deque<std::shared_ptr<const Generation>> sealed_;  // the oldest first; guarded by mutex_
    std::uint64_t written_ = 0;  ///< Generations that left; guarded by mutex_
    std::atomic<std::uint64_t> epoch_;
    std::atomic<std::size_t> bytes_ = 0;
    std::atomic<std::size_t> rows_ = 0;
    std::atomic<std::uint64_t> moment_ = 0;
    std::atomic<bool> is_complete_ = false;
};

}  // namespace footfall::storage_rocksdb
