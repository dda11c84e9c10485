#pragma once

#include "foundation/clock.h"

#include <chrono>
#include <cstdint>
#include <limits>

namespace footfall::views {

/// Days since 1970-01-01, UTC.
using Day = std::int32_t;

/// Stands for the day of the cell that has all days.
inline constexpr Day lifetime = std::numeric_limits<Day>::min();

inline Day day_of(Instant time) {
    return static_cast<Day>(std::chrono::floor<std::chrono::days>(time).time_since_epoch().count());
}

/// 0 to 95.
inline unsigned quarter_of(Instant time) {
    const auto in_day = time - std::chrono::floor<std::chrono::days>(time);
    return static_cast<unsigned>(in_day / std::chrono::minutes{15});
}

}  // namespace footfall::views
