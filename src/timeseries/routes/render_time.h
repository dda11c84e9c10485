#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace footfall::timeseries::routes {

/// A time as Graphite has it, in seconds since 1970: such a number; "now"; "-1h" and the like, as
/// long before now, in s, min, h, d, w, mon of 30 days and y of 365, or their long names;
/// "today", "yesterday"; "20261130" and "14:30_20261130", in UTC. Absent: it is none. Pure.
std::optional<std::int64_t> parse_render_time(std::string_view text, std::int64_t now);

}  // namespace footfall::timeseries::routes
