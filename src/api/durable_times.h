#pragma once

#include "foundation/clock.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace footfall::api {

/// The slowest durable write of each of the last seconds: what "durable in" on the dashboard shows.
/// Thread-safe.
class DurableTimes {
public:
    static constexpr std::int64_t kept_seconds = 3600;

    explicit DurableTimes(const Clock& clock) : clock_{&clock} {}

    /// A block of writes became durable just now, `duration` after its writing began.
    void add(std::chrono::nanoseconds duration) {
        const std::int64_t second =
            std::chrono::floor<std::chrono::seconds>(clock_->now()).time_since_epoch().count();
        const std::lock_guard lock{mutex_};
        std::chrono::nanoseconds& slowest = slowest_[second];
        slowest = std::max(slowest, duration);
        slowest_.erase(slowest_.begin(), slowest_.upper_bound(second - kept_seconds));
    }

    std::optional<std::chrono::nanoseconds> slowest_in(std::int64_t second) const {
        const std::lock_guard lock{mutex_};
        const auto found = slowest_.find(second);
        return found == slowest_.end() ? std::nullopt : std::optional{found->second};
    }

private:
    const Clock* clock_;
    mutable std::mutex mutex_;
    std::map<std::int64_t, std::chrono::nanoseconds> slowest_;  // by second; guarded by mutex_
};

}  // namespace footfall::api
