#pragma once

#include "foundation/clock.h"
#include "timeseries/catalogue.h"
#include "timeseries/retention.h"
#include "timeseries/schema.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <vector>

namespace footfall::timeseries {

/// Where tests of metrics keep them, and when they begin: at a full hour.
inline constexpr std::array<const storage::Table*, 4> tables{
    &point_block_table, &point_cells_table, &series_table, &unsealed_hour_table
};
inline constexpr Instant start{std::chrono::microseconds{1'796'040'000'000'000}};
inline constexpr std::int64_t start_ms = 1'796'040'000'000;
inline constexpr std::int64_t hour_ms = 3'600'000;

/// What all series are kept in where nothing is set.
inline std::vector<series::Resolution> standard_resolutions(SeriesId /*any*/) {
    return Retention::standard(std::chrono::seconds{10}, std::chrono::days{90});
}

}  // namespace footfall::timeseries
