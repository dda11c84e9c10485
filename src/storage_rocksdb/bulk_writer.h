#pragma once

#include "foundation/result.h"
#include "foundation/seldom_log.h"
#include "metrics/metrics.h"
#include "storage_rocksdb/database.h"
#include "storage_rocksdb/pending_rows.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace footfall::storage_rocksdb {

/// Moves sealed generations into the database's files, the oldest first: sorts their rows, writes a
/// file a table, has all files of a generation taken in at once, forgets the generation, and drops
/// its blocks. A crash between any two of these steps repeats rows that are there already, which
/// changes nothing.
///
/// When a file cannot be written (no space left), it says so by health() and tries again until it
/// can: nothing is lost, since the blocks stay. When taking files in fails the database can no
/// longer be trusted, and fail_store is called once.
///
/// Yields while a table has more than 12 files that wait for compaction. Owns one thread, between
/// start() and stop(); `database` and `pending` outlive it.
class BulkWriter {
public:
    struct Options {
        std::filesystem::path directory;  ///< For files not taken in yet; on the database's disk.
        std::chrono::milliseconds retry_pause{1000};
        std::shared_ptr<SeldomLog> troubles = std::make_shared<SeldomLog>(std::chrono::minutes{1});
    };

    /// Called on the writer's thread.
    struct Actions {
        /// Makes the log durable up to now.
        std::move_only_function<Result<void>()> sync_log;
        /// The oldest generation stands in files, whose last block is this: it is to be forgotten,
        /// and its blocks dropped.
        std::move_only_function<void(std::uint64_t)> forget_oldest;
        /// The database must be opened anew.
        std::move_only_function<void(Error)> fail_store;
    };

    BulkWriter(
        Options options,
        Database& database,
        PendingRows& pending,
        metrics::Metrics& metrics,
        Actions actions
    );
    BulkWriter(const BulkWriter&) = delete;
    BulkWriter& operator=(const BulkWriter&) = delete;
    ~BulkWriter();

    /// Starts writing; what an earlier run left half done is removed first.
    void start();

    /// Ends after the step it is in; what was not taken in yet stays pending. Idempotent.
    void stop();

    /// Why rows cannot be written at the moment.
    Result<void> health() const;

private:
    struct TableFile {
        const storage::Table* table;
        std::string path;
    };

    void run(const std::stop_token& stop);
    Result<bool> write(const Generation& generation, const std::stop_token& stop);
    Result<std::vector<TableFile>> write_files(const Generation& generation);
    Result<void> write_file(const storage::Table& table, SortedRows& rows, const std::string& path);
    Result<void> take_in(const std::vector<TableFile>& files);
    bool wait_for_compaction(const std::stop_token& stop);
    bool pause(std::chrono::milliseconds duration, const std::stop_token& stop);
    void remove_files();
    void note_health(const std::optional<Error>& error);

    const Options options_;
    Database* database_;
    PendingRows* pending_;
    Actions actions_;  // the writer's thread only
    metrics::Counter generations_;
    metrics::Counter rows_;
    metrics::Histogram seconds_;
    std::uint64_t files_made_ = 0;  // the writer's thread only

    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    std::optional<Error> error_;  // guarded by mutex_
    bool said_ = false;           ///< That rows stay in the log; guarded by mutex_.

    std::jthread thread_;
};

}  // namespace footfall::storage_rocksdb
