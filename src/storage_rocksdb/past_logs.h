#pragma once

#include "foundation/result.h"
#include "metrics/metrics.h"
#include "runtime/turns.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace rocksdb {
class DB;
}

namespace footfall::storage_rocksdb {

/// Logs by their numbers, which are their names ("000012.log").
using LogPaths = std::map<std::uint64_t, std::filesystem::path>;

/// Those in a folder; none where it is not there.
Result<LogPaths> past_logs_in(const std::filesystem::path& folder);

/// The write-ahead logs of a directory that the engine is done with: what was written since the
/// last backup, block by block. The engine moves them into a folder of their own instead of
/// removing them; here they are linked for a backup, and removed: when a backup has them, when
/// there are too many, and when something that they hold has to go.
///
/// Thread-safe. State: which logs the last backup linked, behind one mutex, which also keeps logs
/// from being removed while they are linked; a thread that looks how much they take.
class PastLogs {
public:
    struct Options {
        std::filesystem::path directory;  ///< Of the database.
        /// The oldest go when there are more; 0: none are kept; absent: as it was when the
        /// directory was open last, and none go.
        std::optional<std::uint64_t> bytes_max = {};
        std::function<bool()> disk_is_full = [] { return false; };  ///< Then none are kept either.
    };

    PastLogs(Options options, metrics::Metrics& metrics);

    /// Whether the engine is to move logs instead of removing them. Before the database is opened.
    static bool are_kept(
        const std::filesystem::path& directory, std::optional<std::uint64_t> bytes_max
    );

    /// Looks at once, then every second. Idempotent, as stop().
    void start();
    void stop();

    /// Links all logs of the open database, also those that are still written to, into a new folder
    /// `into`, each under its own name ("000012.log"). The latter grow; what a reader finds behind
    /// the last whole record of theirs is of no account. Nothing where none are kept.
    Result<void> link(rocksdb::DB& db, const std::filesystem::path& into);

    /// Removes what the last link() linked and the engine was done with.
    Result<void> forget_linked();

    /// Removes all but the log that is written to, once the engine is done with them, which it is
    /// or is about to be: rows that were erased, and of which none are in memory alone, are in no
    /// log then, or a second later.
    Result<void> remove_all(rocksdb::DB& db);

private:
    Result<void> remove_gone();
    Result<void> trim();

    const Options options_;
    const std::filesystem::path folder_;
    const bool kept_;
    metrics::Gauge bytes_;
    std::mutex mutex_;
    std::vector<std::filesystem::path> linked_;  // guarded by mutex_
    /// By remove_all(): the engine may move one of them later; guarded by mutex_.
    std::uint64_t gone_below_ = 0;
    std::optional<runtime::Turns> turns_;  // last: ends before what it uses
};

}  // namespace footfall::storage_rocksdb
