#pragma once

#include "foundation/clock.h"
#include "metrics/metrics.h"
#include "runtime/blocking_pool.h"
#include "storage/store.h"
#include "storage_rocksdb/committer.h"
#include "storage_rocksdb/database.h"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
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
    std::size_t memory_budget_bytes = 256 << 20;
    /// Absent: nothing is acknowledged before its fdatasync (the default). Else: synced at this
    /// interval, acknowledged before; a crash of the machine may then lose the last interval, a
    /// crash of the process nothing.
    std::optional<std::chrono::milliseconds> sync_interval;
    std::size_t write_queue_limit_bytes = 64 << 20;
    std::size_t read_threads = 2;
    std::size_t read_queue_limit = 100'000;
    std::chrono::milliseconds recover_pause{1000};
    /// Called on the committer's thread after each block with the time until it was durable. Must
    /// not block.
    std::function<void(std::chrono::nanoseconds)> on_block;
    rocksdb::Env* env =
        nullptr;  ///< Null: the operating system's. Tests put a faulty file system here.
};

/// The embedded Store: RocksDB, one committer (group commit,
/// docs/decisions/0007-embedded-commit.md), reads in a bounded pool. After a failed write or sync
/// it refuses writes, reports so by health(), reopens the database from what is durable, and goes
/// on. One process a directory.
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
    void read_range(storage::RangeQuery query, storage::PageDone done) override;
    std::optional<Result<storage::Page>> read_range_now(const storage::RangeQuery& query) override;
    Result<void> health() const override;
    void on_lost_writes(std::move_only_function<void()> handler) override;

    /// Rewrites all files, so that rows which expired more than an hour ago are gone. Blocks, long.
    Result<void> compact();

    /// Writes what is queued, answers what is being read, closes the files. Idempotent; also done
    /// by the destructor.
    void close();

private:
    RocksStore(RocksStoreOptions options, const Clock& clock, metrics::Metrics& metrics);

    Committer::Actions committer_actions();
    Result<void> write_block(rocksdb::WriteBatch& block, bool sync);
    Result<void> recover();

    const RocksStoreOptions options_;
    metrics::Histogram block_seconds_;
    metrics::Histogram block_bytes_;
    metrics::Counter failed_writes_;
    Database database_;
    std::vector<std::move_only_function<void()>>
        lost_writes_handlers_;  // fixed before the first submit
    runtime::BlockingPool readers_;
    std::unique_ptr<Committer> committer_;  // made once the database is open
};

}  // namespace footfall::storage_rocksdb
