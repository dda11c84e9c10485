#pragma once

#include <chrono>
#include <mutex>
#include <sys/types.h>
#include <thread>
#include <vector>

namespace footfall::scale {

/// What a process held and had used at a moment.
struct MemorySample {
    double at = 0;            ///< Seconds since the watch began.
    double resident_mib = 0;  ///< VmRSS.
    double cpu_seconds = 0;   ///< User and system, all threads.
};

/// Looks at a process once a second, on a thread of its own. Thread-safe.
class MemoryWatch {
public:
    explicit MemoryWatch(pid_t pid);

    std::vector<MemorySample> samples() const;

    /// Seconds since the watch began.
    double now() const;

    /// The process now.
    MemorySample look() const;

private:
    const pid_t pid_;
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    mutable std::mutex mutex_;
    std::vector<MemorySample> samples_;  // guarded by mutex_
    std::jthread thread_;                // last: ends before what it uses
};

}  // namespace footfall::scale
