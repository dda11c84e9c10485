#pragma once

#include "foundation/check.h"

#include <atomic>
#include <cstddef>
#include <utility>

namespace footfall::net {

/// How much memory all connections may hold for something: bodies that arrive, answers that leave.
/// Only their shares change it, and when it is destroyed all of it has to be back. Thread-safe,
/// lock-free.
class MemoryBudget {
public:
    explicit MemoryBudget(std::size_t limit) : limit_{limit} {}

    MemoryBudget(const MemoryBudget&) = delete;
    MemoryBudget& operator=(const MemoryBudget&) = delete;

    ~MemoryBudget() { CHECK(used() == 0, "who holds memory gives it back", used()); }

    /// What all connections hold.
    std::size_t used() const { return used_.load(std::memory_order_relaxed); }

    std::size_t limit() const { return limit_; }

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

        /// The same of another budget, which stands in place of its own from then on.
        bool hold_of(MemoryBudget& budget, std::size_t bytes) {
            if (&budget == budget_) {
                return hold(bytes);
            }
            Share other{budget};
            if (!other.hold(bytes)) {
                return false;
            }
            std::swap(budget_, other.budget_);
            std::swap(held_, other.held_);
            return true;
        }

        std::size_t held() const { return held_; }

    private:
        MemoryBudget* budget_;
        std::size_t held_ = 0;
    };

private:
    const std::size_t limit_;
    std::atomic<std::size_t> used_ = 0;
};

}  // namespace footfall::net
