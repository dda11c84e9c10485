#include "foundation/clock.h"

namespace footfall {

Instant SystemClock::now() const {
    return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now()
    );
}

}  // namespace footfall
