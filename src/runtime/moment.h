#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace footfall::runtime {

/// Lets time pass, where what is waited for is another process's work, which tells nobody. Blocks;
/// on threads that may.
inline void wait_a_moment(std::chrono::milliseconds moment) {
    std::mutex mutex;
    std::condition_variable nobody_wakes;
    std::unique_lock lock{mutex};
    nobody_wakes.wait_for(lock, moment);
}

}  // namespace footfall::runtime
