#pragma once

#include "foundation/result.h"
#include "foundation/seldom_log.h"
#include "metrics/metrics.h"
#include "runtime/turns.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>

namespace footfall::storage_rocksdb {

/// Looks how much room is left on the disk of a directory, and has writes refused while it is less
/// than a reserve. An engine that meets the end of the disk has to be opened again, and its files
/// need room for that; the reserve keeps it from getting there, and is for the files that are being
/// written already.
///
/// Logs it at once, and again once a minute as long as it is so.
///
/// Thread-safe. Owns one thread, which looks five times a second: a disk of 500 MB/s takes no more
/// than 100 MB meanwhile.
class DiskWatch {
public:
    /// Asked for the room; an error when the file system does not tell, which changes nothing.
    using Look = std::function<std::filesystem::space_info(std::error_code&)>;

    struct Options {
        std::filesystem::path directory;
        std::uint64_t reserve_bytes;  ///< But never more than 5 % of the disk: small ones are used.
        std::chrono::milliseconds pause{200};
        Look look;  ///< Absent: the file system of `directory` is asked.
        /// Says it; shared with whatever else fails when the disk is full.
        std::shared_ptr<SeldomLog> troubles = std::make_shared<SeldomLog>(std::chrono::minutes{1});
    };

    DiskWatch(Options options, metrics::Metrics& metrics);
    DiskWatch(const DiskWatch&) = delete;
    DiskWatch& operator=(const DiskWatch&) = delete;
    ~DiskWatch() = default;

    /// Looks at once, then from time to time.
    void start();

    /// Ends looking; health() stays as it is. Idempotent.
    void stop();

    /// `unavailable` while there is too little room: from the reserve down, until there is a
    /// quarter more than it. Cheap.
    Result<void> health() const;

private:
    void look();
    void change(bool full, std::uint64_t reserve);

    const Options options_;
    metrics::Gauge free_;
    std::atomic<bool> full_ = false;
    mutable std::mutex mutex_;
    std::optional<Error> error_;  // guarded by mutex_; set while full_
    bool said_ = false;           ///< That it is full; the looking thread's.

    std::optional<runtime::Turns> turns_;  // last: ends before what it uses
};

}  // namespace footfall::storage_rocksdb
