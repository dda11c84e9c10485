#pragma once

#include "foundation/result.h"
#include "foundation/seldom_log.h"
#include "storage/store.h"
#include "storage_rocksdb/block.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace footfall::storage_rocksdb {

/// The one writer of the embedded store: all batches that wait become one block, written as one
/// record of the write-ahead log with one fdatasync; answers are released after it. A block is
/// begun when somebody waits for a row in it (when_durable), when it holds 1 MiB, or after a tenth
/// of a second; while it is being written the next one fills. So its size follows the load by
/// itself.
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
        std::shared_ptr<SeldomLog> troubles = std::make_shared<SeldomLog>(std::chrono::minutes{1});
    };

    /// The one brake of the store: smooth, so that nobody waits for long as long as it suffices.
    struct Brake {
        std::chrono::microseconds pause{0};  ///< Before a block is written,
        bool again = false;                  ///< and as often as need be until there is room.
    };

    /// What the committer does to the database; called on its own thread only.
    struct Actions {
        /// Writes a block; synced when asked. What it holds is the callee's.
        std::move_only_function<Result<void>(Block& block, bool sync)> write;
        /// Makes all that was written durable (interval mode).
        std::move_only_function<Result<void>()> sync;
        /// Drops what depends on lost writes and opens the database again.
        std::move_only_function<Result<void>()> recover;
        /// Told how long each block took from the start of its writing until it was durable, and
        /// its size.
        std::move_only_function<void(std::chrono::nanoseconds, std::size_t)> observe;
        /// Whether the next block has to wait, so that what is done with blocks afterwards keeps
        /// up.
        std::move_only_function<Brake()> brake;
    };

    Committer(Options options, Actions actions);
    Committer(const Committer&) = delete;
    Committer& operator=(const Committer&) = delete;
    ~Committer();

    /// Puts `rows` into the block that is being gathered.
    Result<storage::CommitPosition> submit(const Block& rows);

    /// Something else than writing found that the database must be opened anew: as if a write had
    /// failed.
    void fail_store(Error cause);

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
    void wait_for_brake(std::unique_lock<std::mutex>& lock);
    void write_block(std::unique_lock<std::mutex>& lock);
    void sync_if_due(std::unique_lock<std::mutex>& lock);
    void lose_writes(std::unique_lock<std::mutex>& lock, Error cause);
    void say(const std::string& trouble);
    std::vector<Waiter> take_waiters(storage::CommitPosition through);
    Result<void> check_accepting(std::size_t bytes) const;
    bool lost(storage::CommitPosition position) const;

    const Options options_;
    Actions actions_;  // the committer's thread only

    mutable std::mutex mutex_;
    std::condition_variable work_;
    Block gathering_;                        // guarded by mutex_
    std::optional<Error> reported_;          // guarded by mutex_; by fail_store, not dealt with yet
    storage::CommitPosition submitted_ = 0;  // guarded by mutex_
    std::vector<Waiter> waiters_;            // guarded by mutex_
    std::optional<Error> failure_;           // guarded by mutex_; set while not accepting
    bool stopping_ = false;                  // guarded by mutex_
    bool said_ = false;                      ///< A failure; guarded by mutex_.
    bool asleep_ = false;  // guarded by mutex_; waits for the first row, not for somebody to ask
    std::optional<std::chrono::steady_clock::time_point> sync_due_;  // the committer's thread only
    /// Positions whose writing failed: [first, last] each. Guarded by mutex_.
    std::vector<std::pair<storage::CommitPosition, storage::CommitPosition>> lost_;
    std::atomic<bool> any_lost_ = false;
    std::atomic<storage::CommitPosition> durable_ = 0;

    std::jthread thread_;  // last: ends before what it uses
};

}  // namespace footfall::storage_rocksdb
