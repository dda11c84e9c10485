#pragma once

#include "runtime/activity.h"

#include <cstdint>

namespace footfall::tokens {

/// What happened to the tokens of all counters in one second of the clock.
struct ActivitySecond {
    std::int64_t second = 0;  ///< Unix time.
    std::uint64_t put = 0;    ///< Tokens put.
    std::uint64_t added = 0;  ///< Of them new for certain: they were not live before.
    /// Of them neither new nor old for certain: their object is above its counter's limit, and
    /// memory does not hold them. What is in neither figure was live already.
    std::uint64_t unsure = 0;

    bool empty() const { return put == 0; }

    ActivitySecond& operator+=(const ActivitySecond& other) {
        put += other.put;
        added += other.added;
        unsure += other.unsure;
        return *this;
    }
};

/// Lanes add what they saw of a second once it is over, so a second is complete as soon as every
/// lane has been asked for it.
using Activity = runtime::Activity<ActivitySecond>;

}  // namespace footfall::tokens
