#pragma once

#include "foundation/clock.h"
#include "timeseries/schema.h"

#include <array>
#include <chrono>
#include <cstdint>

namespace footfall::timeseries {

/// Where tests of metrics keep them, and when they begin: at a full hour.
inline constexpr std::array<const storage::Table*, 3> tables{
    &point_block_table, &series_table, &unsealed_hour_table
};
inline constexpr Instant start{std::chrono::microseconds{1'796'040'000'000'000}};
inline constexpr std::int64_t start_ms = 1'796'040'000'000;
inline constexpr std::int64_t hour_ms = 3'600'000;

}  // namespace footfall::timeseries
