#pragma once

#include "foundation/result.h"
#include "timeseries_routes/sent_points.h"

#include <cstddef>
#include <string_view>

namespace footfall::timeseries::routes {

inline constexpr std::size_t kairos_bytes_max = 16 << 20;  ///< When unpacked.
inline constexpr std::size_t kairos_points_max = 100'000;

/// Reads a metric, or an array of metrics, as KairosDB takes them. `invalid_input` says of which
/// metric which field is wrong, and how it would be right, of the first that is. Copies the text,
/// and the name of each metric; nothing is allocated for a point. Pure.
Result<SentPoints> read_kairos_points(std::string_view json);

}  // namespace footfall::timeseries::routes
