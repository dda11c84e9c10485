#pragma once

#include <atomic>
#include <cstddef>

namespace footfall::http_server {

/// How much memory all connections may hold for large bodies. Thread-safe, lock-free.
class MemoryBudget {
public:
    explicit MemoryBudget(std::size_t limit) : limit_{limit} {}

    /// What one connection holds of it. A value for one thread; the budget outlives it.
    class Share {
    public:
        explicit Share(MemoryBudget& budget) : budget_{&budget} {}

        Share(const Share&) = delete;
        Share& operator=(const Share&) = delete;

        ~Share() { hold(0); }

        /// Holds `bytes` in place of what it held. False, with nothing changed: the others leave
        /// too little. To hold less always works.
        bool hold(std::size_t bytes) {
            if (bytes == held_) {
                return true;
            }
            const std::size_t used =
                budget_->used_.fetch_add(bytes - held_, std::memory_order_relaxed) + bytes - held_;
            if (bytes > held_ && used > budget_->limit_) {
                budget_->used_.fetch_sub(bytes - held_, std::memory_order_relaxed);
                return false;
            }
            held_ = bytes;
            return true;
        }

    private:
        MemoryBudget* budget_;
        std::size_t held_ = 0;
    };

private:
    const std::size_t limit_;
    std::atomic<std::size_t> used_ = 0;
};

}  // namespace footfall::http_server
