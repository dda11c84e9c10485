#pragma once

#include "runtime/activity.h"

#include <cstdint>

namespace footfall::intake {

/// How many events came in one second of the clock.
struct ActivitySecond {
    std::int64_t second = 0;  ///< Unix time.
    std::uint64_t counted = 0;
    std::uint64_t refused = 0;

    bool empty() const { return counted + refused == 0; }

    ActivitySecond& operator+=(const ActivitySecond& other) {
        counted += other.counted;
        refused += other.refused;
        return *this;
    }
};

using Activity = runtime::Activity<ActivitySecond>;

}  // namespace footfall::intake
