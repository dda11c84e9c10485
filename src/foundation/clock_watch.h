#pragma once

#include "foundation/clock.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

namespace footfall {

/// Clocks of several machines differ by so much, and are corrected by so much, without anybody
/// having to care. What is later than now by more is of a clock that was ahead.
inline constexpr std::chrono::seconds clock_slack{5};

/// Notices that a clock was ahead: it says less than it said before. Whether it was ahead then or
/// is behind now nobody can tell; what follows is that times it gave are later than now.
/// Thread-safe. Cost: a look at one word, which is written once a second.
class ClockWatch {
public:
    /// What the clock said at the latest, where that was later than `now` by more than clock_slack;
    /// once for each time that it is set back. Told the time by whoever asked the clock.
    std::optional<Instant> set_back(Instant now) {
        constexpr std::chrono::microseconds precision = std::chrono::seconds{1};
        std::int64_t latest = latest_.load(std::memory_order_relaxed);
        const std::int64_t said = now.time_since_epoch().count();
        if (said >= latest + precision.count()) {
            // Another who writes meanwhile says about the same.
            latest_.compare_exchange_strong(latest, said, std::memory_order_relaxed);
            return std::nullopt;
        }
        constexpr std::chrono::microseconds slack = clock_slack;
        const bool is_back = said + slack.count() < latest;
        if (!is_back || !latest_.compare_exchange_strong(latest, said, std::memory_order_relaxed)) {
            return std::nullopt;
        }
        return Instant{std::chrono::microseconds{latest}};
    }

private:
    /// To within a second.
    std::atomic<std::int64_t> latest_ = std::numeric_limits<std::int64_t>::min();
};

/// Another clock, which is looked after: what it was ahead by when it is set back is logged and
/// counted. Thread-safe; the other one must outlive it.
class WatchedClock final : public Clock {
public:
    explicit WatchedClock(const Clock& clock) : clock_{&clock} {}

    Instant now() const override;

    /// How often it was set back by more than clock_slack.
    std::uint64_t set_back() const { return set_back_.load(); }

private:
    const Clock* clock_;
    mutable ClockWatch watch_;
    mutable std::atomic<std::uint64_t> set_back_ = 0;
};

}  // namespace footfall
