#pragma once

#include "foundation/result.h"
#include "storage/store.h"

#include <rocksdb/write_batch.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace footfall::storage_rocksdb {

/// The one writer of the embedded store: all batches that wait become one block, written as one
/// record of the write-ahead log with one fdatasync; answers are released after it. While one block
/// is being written the next one fills, so the block's size follows the load by itself.
///
/// A write or sync that failed is never tried again: nobody can say what reached the disk. The
/// waiters are told outcome_unknown, later submits are refused, and `recover` is called until it
/// succeeds; only then are writes accepted again. Positions of the lost blocks stay lost.
///
/// Thread-safe. Owns one thread.
class Committer {
public:
    struct Options {
        std::size_t queue_limit_bytes = 64 << 20;  ///< Above this submit() answers overloaded.
        /// Absent: a block is synced before it counts as durable. Else: synced at this interval,
        /// acknowledged before.
        std::optional<std::chrono::milliseconds> sync_interval;
        std::chrono::milliseconds recover_pause{1000};  ///< Between two attempts to recover.
    };

    /// What the committer does to the database; called on its own thread only.
    struct Actions {
        /// Writes a block; synced when asked.
        std::move_only_function<Result<void>(rocksdb::WriteBatch& block, bool sync)> write;
        /// Makes all that was written durable (interval mode).
        std::move_only_function<Result<void>()> sync;
        /// Drops what depends on lost writes and opens the database again.
        std::move_only_function<Result<void>()> recover;
        /// Told how long each block took from the start of its writing until it was durable, and
        /// its size.
        std::move_only_function<void(std::chrono::nanoseconds, std::size_t)> observe;
    };

    Committer(Options options, Actions actions);
    Committer(const Committer&) = delete;
    Committer& operator=(const Committer&) = delete;
    ~Committer();

    /// Lets `fill` put rows into the block that is being gathered. `bytes`: about how large they
    /// are.
    template <class Fill>
    Result<storage::CommitPosition> submit(std::size_t bytes, Fill&& fill) {
        const std::lock_guard lock{mutex_};
        TRY_VOID(check_accepting(bytes));
        const bool was_empty = gathering_.Count() == 0;
        std::forward<Fill>(fill)(gathering_);
        gathered_bytes_ += bytes;
        ++submitted_;
        if (was_empty) {
            work_.notify_one();
        }
        return submitted_;
    }

    bool durable(storage::CommitPosition position) const;
    void when_durable(storage::CommitPosition position, storage::DurableDone done);
    Result<void> health() const;

    /// Writes what is queued, then ends the thread; later submits are refused. Idempotent.
    void stop();

private:
    struct Waiter {
        storage::CommitPosition position;
        storage::DurableDone done;
    };

    void run();
    bool wait_for_work(std::unique_lock<std::mutex>& lock);
    void write_block(std::unique_lock<std::mutex>& lock);
    void sync_if_due(std::unique_lock<std::mutex>& lock);
    void lose_writes(std::unique_lock<std::mutex>& lock, Error cause);
    std::vector<Waiter> take_waiters(storage::CommitPosition through);
    Result<void> check_accepting(std::size_t bytes) const;
    bool lost(storage::CommitPosition position) const;

    const Options options_;
    Actions actions_;  // the committer's thread only

    mutable std::mutex mutex_;
    std::condition_variable work_;
    rocksdb::WriteBatch gathering_;          // guarded by mutex_
    std::size_t gathered_bytes_ = 0;         // guarded by mutex_
    storage::CommitPosition submitted_ = 0;  // guarded by mutex_
    std::vector<Waiter> waiters_;            // guarded by mutex_
    std::optional<Error> failure_;           // guarded by mutex_; set while not accepting
    bool stopping_ = false;                  // guarded by mutex_
    std::optional<std::chrono::steady_clock::time_point> sync_due_;  // the committer's thread only
    /// Positions whose writing failed: [first, last] each. Guarded by mutex_.
    std::vector<std::pair<storage::CommitPosition, storage::CommitPosition>> lost_;
    std::atomic<bool> any_lost_ = false;
    std::atomic<storage::CommitPosition> durable_ = 0;

    std::jthread thread_;  // last: ends before what it uses
};

}  // namespace footfall::storage_rocksdb
