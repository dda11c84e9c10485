#pragma once

#include "foundation/log.h"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace footfall {

/// Lines about what may go wrong again and again: the first is written at once, and then one in
/// `pause` at most, which says how many were left out. What tells of the same trouble shares one.
/// Thread-safe.
class SeldomLog {
public:
    explicit SeldomLog(std::chrono::seconds pause) : pause_{pause} {}

    /// Writes the line, if it is time; whether it did.
    bool say(LogLevel level, std::string_view text);

    /// Whether a line of say() was written less than a pause ago.
    bool just_said();

    /// As say(), for whoever writes the line himself: how many were left out, if it is time. `now`:
    /// since any moment that stays the same. A clock that was set back leaves nothing out.
    std::optional<std::uint64_t> turn(std::chrono::microseconds now);

private:
    bool in_pause(std::chrono::microseconds now) const;  ///< Under mutex_.

    const std::chrono::microseconds pause_;
    std::mutex mutex_;
    std::optional<std::chrono::microseconds> last_;  // guarded by mutex_
    std::uint64_t left_out_ = 0;                     // guarded by mutex_
};

/// What such a line ends with: nothing, or how many more there were.
std::string more_like_it(std::uint64_t left_out);

}  // namespace footfall
