#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace footfall::tokens {

/// What happened to the tokens of all counters in one second of the clock.
struct ActivitySecond {
    std::int64_t second = 0;  ///< Unix time.
    std::uint64_t put = 0;    ///< Tokens put.
    std::uint64_t added = 0;  ///< Of them new for certain: they were not live before.
    /// Of them neither new nor old for certain: their object is above its counter's limit, and
    /// memory does not hold them. What is in neither figure was live already.
    std::uint64_t unsure = 0;
};

/// The last hour, second by second: what the live chart is drawn from. Lanes add what they saw of a
/// second once it is over, so a second is complete as soon as every lane has been asked for it.
/// Kept in memory only. Thread-safe.
class Activity {
public:
    static constexpr std::size_t kept_seconds = 3600;

    void add(const ActivitySecond& seen);

    /// The seconds in [from, before) in which anything happened, ascending.
    std::vector<ActivitySecond> between(std::int64_t from, std::int64_t before) const;

private:
    mutable std::mutex mutex_;
    std::deque<ActivitySecond> seconds_;  // ascending; guarded by mutex_
};

}  // namespace footfall::tokens
