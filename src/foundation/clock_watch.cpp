#include "foundation/clock_watch.h"

#include "foundation/log.h"

#include <chrono>

namespace footfall {

Instant WatchedClock::now() const {
    const Instant now = clock_->now();
    if (const auto before = watch_.set_back(now)) {
        ++set_back_;
        log(LogLevel::warning,
            "the clock went back by {} s: it was ahead, or it is behind now. What came meanwhile "
            "says that it came later than it did",
            std::chrono::ceil<std::chrono::seconds>(*before - now).count());
    }
    return now;
}

}  // namespace footfall
