#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>

namespace footfall::runtime {

/// How much memory somebody may take for what he could do without: a cache, or what waits to be
/// written. Thread-safe.
class MemoryShare {
public:
    /// One that stays as it is.
    explicit MemoryShare(std::size_t bytes) : bytes_{bytes} {}

    MemoryShare(const MemoryShare&) = delete;
    MemoryShare& operator=(const MemoryShare&) = delete;
    ~MemoryShare() = default;

    std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

    /// To be called when more would have been of use: something had to go, or was written early.
    void note_short() {
        if (!short_.load(std::memory_order_relaxed)) {
            short_.store(true, std::memory_order_relaxed);
        }
    }

private:
    friend class MemoryShares;

    std::atomic<std::size_t> bytes_;
    std::atomic<bool> short_ = false;
    std::size_t least_ = 0;
    std::uint32_t turns_content_ = 0;  ///< Since it was short.
};

/// One budget that several share, dealt out by use: who is short gets from who has not been for a
/// while, in small steps, so that a job that nobody uses keeps no more than its least. While all
/// are short, all keep what they have.
class MemoryShares {
public:
    /// A share each, of at least so many bytes, which are together no more than `bytes`; to begin
    /// with all have the same beyond that.
    MemoryShares(std::size_t bytes, std::span<const std::size_t> least);

    MemoryShare& share(std::size_t index) { return shares_[index]; }

    /// To be called once a second, by one thread. `taken`: of the budget, by what nobody can do
    /// without; all shares are so much less together, but none is below its least.
    void follow_use(std::size_t taken = 0);

    /// Turns in which somebody was not short before he gives.
    static constexpr std::uint32_t content_turns = 10;
    /// Of all, goes over in a turn.
    static constexpr std::size_t steps = 50;

private:
    void fit(std::size_t taken);

    const std::size_t bytes_;
    std::deque<MemoryShare> shares_;
};

}  // namespace footfall::runtime
