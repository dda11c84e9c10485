#pragma once

#include "foundation/clock_watch.h"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace footfall::runtime {

/// What happened in one second of the clock: numbers that add up.
template <class T>
concept Second = requires(T into, const T& other) {
    { other.second } -> std::convertible_to<std::int64_t>;  // Unix time
    { other.empty() } -> std::same_as<bool>;
    into += other;
};

/// The last hour, second by second: what a live chart is drawn from. Who counts adds what it saw of
/// a second once it is over, or at once. What a clock that was ahead left of seconds to come goes
/// as soon as somebody adds by a clock that is right: they would keep the hour for themselves. Kept
/// in memory only. Thread-safe.
template <Second T>
class Activity {
public:
    static constexpr std::size_t kept_seconds = 3600;

    /// `now`: the second that it is (Unix time).
    void add(const T& seen, std::int64_t now) {
        const std::int64_t latest = now + clock_slack.count();
        if (seen.empty() || seen.second > latest) {
            return;
        }
        const std::lock_guard lock{mutex_};
        while (!seconds_.empty() && seconds_.back().second > latest) {
            seconds_.pop_back();
        }
        const auto found = std::ranges::lower_bound(seconds_, seen.second, {}, &T::second);
        if (found != seconds_.end() && found->second == seen.second) {
            *found += seen;
            return;
        }
        seconds_.insert(found, seen);
        while (seconds_.back().second - seconds_.front().second >=
               static_cast<std::int64_t>(kept_seconds)) {
            seconds_.pop_front();
        }
    }

    /// The seconds in [from, before) in which anything happened, ascending.
    std::vector<T> between(std::int64_t from, std::int64_t before) const {
        const std::lock_guard lock{mutex_};
        const auto first = std::ranges::lower_bound(seconds_, from, {}, &T::second);
        const auto end = std::ranges::lower_bound(seconds_, before, {}, &T::second);
        return first < end ? std::vector<T>{first, end} : std::vector<T>{};
    }

private:
    mutable std::mutex mutex_;
    std::deque<T> seconds_;  // ascending; guarded by mutex_
};

}  // namespace footfall::runtime
