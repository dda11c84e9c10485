#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>

namespace footfall::rankings {

/// How far back *popular* looks. A window ends now and begins with a quarter-hour, which is what is
/// counted by.
struct Window {
    std::string_view name;
    std::chrono::hours length;
};

inline constexpr std::array<Window, 5> windows{{
    {.name = "1h", .length = std::chrono::hours{1}},
    {.name = "6h", .length = std::chrono::hours{6}},
    {.name = "24h", .length = std::chrono::hours{24}},
    {.name = "7d", .length = std::chrono::days{7}},
    {.name = "30d", .length = std::chrono::days{30}},
}};

/// `invalid_input` lists those there are.
Result<Window> parse_window(std::string_view name);

/// UTC days since 1970-01-01, both included.
struct Days {
    std::int64_t first = 0;
    std::int64_t last = 0;

    std::size_t count() const { return static_cast<std::size_t>(last - first + 1); }

    friend bool operator==(const Days&, const Days&) = default;
};

/// The quarter-hour in which now - window falls; so it is up to 15 minutes longer than its name.
Instant begin_of(const Window& window, Instant now);

/// The days it touches: at most 31.
Days days_of(const Window& window, Instant now);

}  // namespace footfall::rankings
