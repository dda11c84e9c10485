#pragma once

#include <atomic>
#include <chrono>

namespace footfall {

/// A moment of wall-clock time (UTC) in microseconds: the resolution of every stored time.
using Instant = std::chrono::sys_time<std::chrono::microseconds>;

/// Where the time comes from. Nothing below `server` asks the operating system: expiry, windows and
/// days must give the same answer in a test and in a replay. Thread-safe.
class Clock {
public:
    Clock() = default;
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;
    virtual ~Clock() = default;

    virtual Instant now() const = 0;
};

/// The operating system's real-time clock.
class SystemClock final : public Clock {
public:
    Instant now() const override;
};

/// Stands still until told otherwise: for tests and for replays of recorded traffic. Thread-safe.
class ManualClock final : public Clock {
public:
    explicit ManualClock(Instant start) : now_{start.time_since_epoch().count()} {}

    Instant now() const override { return Instant{std::chrono::microseconds{now_.load()}}; }

    void set(Instant instant) { now_.store(instant.time_since_epoch().count()); }

    void advance(std::chrono::microseconds by) { now_.fetch_add(by.count()); }

private:
    std::atomic<std::chrono::microseconds::rep> now_;
};

}  // namespace footfall
