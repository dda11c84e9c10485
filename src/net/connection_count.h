#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace footfall::net {

/// How many connections a server has, with a limit, and a way to wait until there are none.
/// Thread-safe; entered and left once a connection, so a mutex is cheap enough.
class ConnectionCount {
public:
    explicit ConnectionCount(std::size_t limit) : limit_{limit} {}

    /// False when the limit is reached; else leave() must follow.
    bool enter() {
        const std::lock_guard lock{mutex_};
        if (count_ >= limit_) {
            return false;
        }
        ++count_;
        return true;
    }

    void leave() {
        const std::lock_guard lock{mutex_};
        if (--count_ == 0) {
            none_.notify_all();
        }
    }

    /// Waits until there are none, at most `patience`; answers how many there are.
    std::size_t wait_for_none(std::chrono::milliseconds patience) {
        std::unique_lock lock{mutex_};
        none_.wait_for(lock, patience, [this] { return count_ == 0; });
        return count_;
    }

private:
    const std::size_t limit_;
    std::mutex mutex_;
    std::condition_variable none_;
    std::size_t count_ = 0;  // guarded by mutex_
};

}  // namespace footfall::net
