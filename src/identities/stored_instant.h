#pragma once

#include "foundation/clock.h"

#include <chrono>
#include <cstdint>

/// Moments as rows have them: microseconds since 1970 (UTC).
namespace footfall::identities {

inline std::int64_t microseconds_of(Instant instant) {
    return instant.time_since_epoch().count();
}

inline Instant instant_of(std::int64_t microseconds) {
    return Instant{std::chrono::microseconds{microseconds}};
}

}  // namespace footfall::identities
