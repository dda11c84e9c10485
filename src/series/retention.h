#pragma once

#include "foundation/result.h"
#include "series/glob.h"

#include <chrono>
#include <cstddef>
#include <string_view>
#include <vector>

namespace footfall::series {

/// How finely a series is kept for how long.
struct Resolution {
    std::chrono::seconds step{};
    std::chrono::seconds kept{};

    friend bool operator==(const Resolution&, const Resolution&) = default;
};

/// What holds for the names that a pattern is above (Glob::is_above).
struct RetentionRule {
    Glob pattern;
    /// Finest first: each step is a multiple of the one before, and is kept longer. At least one.
    std::vector<Resolution> resolutions;
};

inline constexpr std::size_t resolutions_max = 8;
inline constexpr std::chrono::seconds step_longest = std::chrono::days{1};
inline constexpr std::chrono::seconds kept_longest = std::chrono::days{36'500};

/// "10s:6h, 60s:7d, 1h:5y": s, m, h, d, w of 7 days, y of 365. `invalid_input` says what is wrong
/// and how it would be right. Pure.
Result<std::vector<Resolution>> parse_resolutions(std::string_view text);

/// "servers.* -> 10s:6h, 60s:7d, 1h:5y". The same. Pure.
Result<RetentionRule> parse_retention(std::string_view text);

}  // namespace footfall::series
