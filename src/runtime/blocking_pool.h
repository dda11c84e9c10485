#pragma once

#include "foundation/result.h"
#include "runtime/enter_thread.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace footfall::runtime {

/// A few threads for calls that block or take long, so that the io threads never
/// do. The queue is bounded: full means `overloaded`, at once. Thread-safe.
class BlockingPool {
public:
    using Work = std::move_only_function<void()>;

    BlockingPool(std::size_t threads, std::size_t queue_limit, Urgency urgency = Urgency::work);
    BlockingPool(const BlockingPool&) = delete;
    BlockingPool& operator=(const BlockingPool&) = delete;
    ~BlockingPool();

    /// Takes `work` to be run once, in order of submission as far as threads are free. On failure
    /// `work` is not run.
    Result<void> submit(Work work);

    /// Runs what is queued, then ends the threads. Later submits are refused. Idempotent.
    void stop();

private:
    void serve(Urgency urgency);

    const std::size_t queue_limit_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Work> queue_;  // guarded by mutex_
    bool stopping_ = false;   // guarded by mutex_
    std::vector<std::jthread> threads_;
};

}  // namespace footfall::runtime
