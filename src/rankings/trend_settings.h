#pragma once

#include "foundation/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace footfall::rankings {

/// Everything about *trending* that a deployment can tune. A reply names those that its list was
/// made with.
struct TrendSettings {
    std::chrono::microseconds fast_half_life{std::chrono::hours{1}};
    std::chrono::microseconds slow_half_life{std::chrono::hours{24}};  ///< Not below the fast one.
    /// What is shown has at least so much of the fast sum,
    double least_fast = 3;
    /// so many people in 24 hours,
    std::uint64_t least_people = 5;
    /// and such a score;
    double least_score = 2;
    /// of one site at most so many; 0: any number.
    std::size_t per_site = 3;
    /// So many are asked for their people at most, those with the best scores.
    std::size_t asked_most = 1000;
    /// Of a lane: candidates, and the bytes of their names.
    std::size_t counters = 2048;
    std::size_t names_bytes = 256 << 10;
};

/// `invalid_input` names what cannot be.
Result<void> check_trend_settings(const TrendSettings& settings);

}  // namespace footfall::rankings
