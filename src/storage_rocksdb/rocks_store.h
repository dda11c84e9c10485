#pragma once

#include "foundation/clock.h"
#include "foundation/log.h"
#include "metrics/metrics.h"
#include "runtime/blocking_pool.h"
#include "storage/store.h"
#include "storage_rocksdb/block.h"
#include "storage_rocksdb/bulk_writer.h"
#include "storage_rocksdb/committer.h"
#include "storage_rocksdb/database.h"
#include "storage_rocksdb/disk_watch.h"
#include "storage_rocksdb/logged_block.h"
#include "storage_rocksdb/past_logs.h"
#include "storage_rocksdb/pending_rows.h"
#include "storage_rocksdb/stamp.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rocksdb {
class Env;
}

namespace footfall::storage_rocksdb {

struct RocksStoreOptions {
    std::filesystem::path directory;
    bool create = true;  ///< False: `not_found` if there is no store in the directory yet.
    std::vector<const storage::Table*>
        tables;  ///< All tables of the program; each must outlive the store.
    std::size_t memory_budget_bytes = 256 << 20;  ///< Shared out by plan_memory().
    /// Bulk rows are written to files in portions of this size; absent: as the budget allows.
    std::optional<std::size_t> generation_bytes = {};
    /// Absent: nothing is acknowledged before its fdatasync (the default). Else: synced at this
    /// interval, acknowledged before; a crash of the machine may then lose the last interval, a
    /// crash of the process nothing.
    std::optional<std::chrono::milliseconds> sync_interval;
    std::size_t write_queue_limit_bytes = 64 << 20;
    std::size_t read_threads = 2;
    std::size_t read_queue_limit = 100'000;
    std::chrono::milliseconds recover_pause{1000};  ///< Between two attempts to go on.
    /// Called on the committer's thread after each block with the time until it was durable. Must
    /// not block.
    std::function<void(std::chrono::nanoseconds)> on_block;
    /// Asked for the room on the disk; absent: the file system is. Tests say that it is full.
    DiskWatch::Look look_at_disk = {};
    bool compress = true;  ///< What is written to files. Tests search files.
    /// So much of what was written since the last backup is kept in logs, on the disk, that a
    /// restore can stop at any moment between two (link_files()); 0: nothing.
    /// Absent: as it was when the directory was open last, for who does something else with it.
    std::optional<std::uint64_t> past_log_bytes = {};
    /// Begins a history of its own: the directory is a copy of another one as it was.
    bool begin_history = false;
    rocksdb::Env* env =
        nullptr;  ///< Null: the operating system's. Tests put a faulty file system here.
};

/// The embedded Store: RocksDB, one committer (group commit), reads in a bounded pool
/// (docs/decisions/0007-embedded-commit.md). Rows of bulk tables are durable with their block, wait
/// in memory and are written to files in sorted bulk (docs/decisions/0013-sorted-bulk.md).
///
/// After a failed write or sync it refuses writes, reports so by health(), reopens the database
/// from what is durable, and goes on. When bulk rows cannot be written to files, because the disk
/// is full, it reports so, takes writes as long as there is memory for them, and goes on by itself
/// when there is space. Before the disk is full writes are refused (DiskWatch). When writing meets
/// damaged files it takes no more writes and reads what can be read
/// (docs/decisions/0014-damage.md). One process a directory.
class RocksStore final : public storage::Store {
public:
    /// Opens or creates the store in `options.directory`. `clock` and `metrics` must outlive it.
    static Result<std::unique_ptr<RocksStore>> open(
        RocksStoreOptions options, const Clock& clock, metrics::Metrics& metrics
    );

    ~RocksStore() override;
    RocksStore(const RocksStore&) = delete;
    RocksStore& operator=(const RocksStore&) = delete;

    Result<storage::CommitPosition> submit(const storage::Batch& batch) override;
    bool durable(storage::CommitPosition position) const override;
    void when_durable(storage::CommitPosition position, storage::DurableDone done) override;
    void read_many(
        const storage::Table& table,
        std::vector<std::vector<storage::Value>> keys,
        storage::FoundDone done
    ) override;
    std::optional<Result<storage::Found>> read_many_here(
        const storage::Table& table, const std::vector<std::vector<storage::Value>>& keys
    ) override;

    void read_range(storage::RangeQuery query, storage::PageDone done) override;
    std::optional<Result<storage::Page>> read_range_here(const storage::RangeQuery& query) override;
    std::optional<Result<storage::PartitionsFound>> read_partitions_here(
        const storage::Table& table, std::span<const storage::ValueView> partitions
    ) override;
    std::optional<Result<storage::Page>> read_range_now(const storage::RangeQuery& query) override;

    /// In the order of keys. Bulk rows that wait are written to files first, once a scan: that
    /// takes about as long as the last generation is large.
    void scan(storage::ScanQuery query, storage::PageDone done) override;

    double pressure() const override;

    /// One log, of whose blocks a whole beginning is taken.
    bool loses_only_the_end() const override { return true; }

    Result<void> health() const override;
    storage::Subscription on_lost_writes(std::move_only_function<void()> handler) override;

    void forget_records(std::uint64_t log, std::uint32_t lane, std::uint64_t before) override {
        forgotten_.forget(log, lane, before);
    }

    /// Rows of all tables that are in memory are written to files for it, so that old logs go.
    Result<void> shred() override;

    /// Of rows that wait to be written to files, too, and the blocks that they came by. Everybody
    /// waits at its end while the files are closed and opened, as long as a start takes for them.
    Result<bool> rewrite() override;

    /// Rewrites all files, so that rows which expired more than an hour ago, and those of forgotten
    /// records, are gone. Blocks, long.
    Result<void> compact();

    /// Makes a folder in the data directory with all files of one moment, which nobody changes: as
    /// after a kill at that moment, so with all that was acknowledged before the call. They are
    /// links, so it takes no room as long as the store has the same files, and is there until
    /// unlink_files(), or the store is opened again. For one caller at a time. Blocks, as long as
    /// it takes to write rows in memory to files; others go on.
    Result<std::filesystem::path> link_files();

    /// Removes that folder.
    Result<void> unlink_files();

    /// What was written since the last backup is in this one: it is removed from the directory, as
    /// far as the last link_files() linked it.
    Result<void> forget_past() { return past_logs_.forget_linked(); }

    /// The last block that was written.
    Stamp stamp() const;

    /// Which blocks the logs have that link_files() linked, which are all between the two, for it
    /// is the oldest logs that go. 0: none.
    struct PastBlocks {
        std::uint64_t first = 0;
        std::uint64_t last = 0;
    };

    /// After link_files(), which answered `linked`. Reads the first log that has any, and the last.
    Result<PastBlocks> past_blocks(const std::filesystem::path& linked) const;

    /// What came of replay().
    struct Replayed {
        std::uint64_t blocks = 0;  ///< So many were written.
        Stamp last;                ///< The last of them, or what the directory had before.
        bool reached_end = false;  ///< There are later ones.
    };

    /// Writes what stands in `logs` (by their numbers) and came after what the directory had when
    /// it was opened, with begin_history, until the first block later than `until`. Rows of bulk
    /// tables as they come, all others too. `not_found`: a block between is missing; `corrupt`,
    /// `conflict`: as read_logged_block(). Blocks; reads each log once.
    Result<Replayed> replay(const LogPaths& logs, Instant until);

    /// Writes what is queued, answers what is being read, closes the files. Idempotent; also done
    /// by the destructor.
    void close() override;

private:
    class Replaying;

    RocksStore(RocksStoreOptions options, const Clock& clock, metrics::Metrics& metrics);

    Result<void> open_history();
    LoggedFamilies logged_families() const;
    Result<PastBlocks> blocks_of(const std::filesystem::path& log, std::uint64_t number) const;
    Committer::Actions committer_actions();
    BulkWriter::Actions bulk_actions();
    Result<void> write_block(Block& block, bool sync);
    Result<void> sync_log();
    Result<void> recover();
    Result<void> replay_blocks();
    Result<void> check_room() const;
    Result<void> write_pending();
    Result<storage::Page> scan_page(const storage::ScanQuery& query);
    Result<void> drop_blocks(rocksdb::DB& db) const;
    Result<void> damage() const;
    Error noted_failure(Error cause);
    std::string last_write_failure() const;
    void report_pending();
    Committer::Brake brake() const;
    template <class Answer>
    Result<Answer> noted(Result<Answer> answer);

    const RocksStoreOptions options_;
    const Clock* clock_;
    /// Whoever cannot write says so; all of them at once, mostly, as the disk is full.
    const std::shared_ptr<SeldomLog> troubles_ =
        std::make_shared<SeldomLog>(std::chrono::minutes{1});
    metrics::Histogram block_seconds_;
    metrics::Histogram block_bytes_;
    metrics::Counter failed_writes_;
    metrics::Gauge pending_rows_;
    metrics::Gauge pending_bytes_;
    const MemoryPlan memory_;
    storage::ForgottenRecords forgotten_;
    Database database_;
    PendingRows pending_;
    DiskWatch disk_;
    PastLogs past_logs_;
    std::uint64_t last_block_ = 0;              // the committer's thread; before it runs, open()
    std::atomic<std::uint64_t> droppable_ = 0;  ///< The last block whose rows stand in files.
    std::uint64_t dropped_ = 0;                 // the committer's thread: dropped so far
    std::atomic<bool> writes_met_damage_ = false;
    std::atomic<std::uint64_t> secret_block_ = 0;    ///< The last block with secret rows.
    std::atomic<std::uint64_t> shredded_block_ = 0;  ///< That one when shred() ended well.
    bool read_only_ = false;                         // the committer's thread
    Stamp opened_at_;  ///< What the directory had when it was opened; constant since.
    mutable std::mutex stamp_mutex_;
    Stamp stamp_;  ///< Of the last block; guarded by stamp_mutex_.
    mutable std::mutex damage_mutex_;
    std::optional<Error> damage_;  ///< What was found broken; guarded by damage_mutex_.
    std::string write_failure_;    ///< The last one; guarded by damage_mutex_.
    storage::Subscribers subscribers_;
    runtime::BlockingPool readers_;
    std::unique_ptr<BulkWriter> bulk_writer_;
    std::unique_ptr<Committer> committer_;  // made once the database is open
};

/// Passes an answer on; damage that a read came upon is said by health() from then on.
template <class Answer>
Result<Answer> RocksStore::noted(Result<Answer> answer) {
    if (!answer && answer.error().kind == ErrorKind::corrupt) {
        const std::lock_guard lock{damage_mutex_};
        if (!damage_) {
            log(LogLevel::error, "the data directory is damaged: {}", answer.error().message);
        }
        damage_ = answer.error();
    }
    return answer;
}

}  // namespace footfall::storage_rocksdb
