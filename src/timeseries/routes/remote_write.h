#pragma once

#include "foundation/result.h"
#include "timeseries_routes/sent_points.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::timeseries::routes {

inline constexpr std::size_t remote_write_bytes_max = 16 << 20;  ///< When unpacked.
inline constexpr std::size_t remote_write_points_max = 100'000;

/// What a WriteRequest of Prometheus brings.
struct RemoteWrite {
    SentPoints sent;
    std::uint64_t nans = 0;        ///< Samples that say that there is no value: stale markers.
    std::uint64_t histograms = 0;  ///< Native ones, and exemplars, which are not kept.
    std::uint64_t unnamed = 0;     ///< Samples of series whose labels make no name.
    std::string why = {};          ///< Of the first of these.
};

/// A body as it was before it was packed with snappy, in its block format. Absent: it would be
/// larger than remote_write_bytes_max, as it says itself. `invalid_input`: it is none, or damaged.
Result<std::optional<std::string>> unpack(std::string_view packed);

/// Reads a WriteRequest of version 1.0. `invalid_input` if it is none, or has too many samples.
/// Label __name__ is the name, the others are tags; what a name or a tag cannot have stands there
/// as %20, a percent sign, too, so no two series become one. Pure.
Result<RemoteWrite> read_write_request(std::string_view bytes);

}  // namespace footfall::timeseries::routes
