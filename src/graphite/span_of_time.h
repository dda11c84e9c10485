#pragma once

#include "foundation/result.h"

#include <cstdint>
#include <string_view>

namespace footfall::graphite {

/// Seconds of a span as Graphite writes it: "10s", "-1h", "1d12h", "2weeks"; of units the first
/// letters are enough, a month ("mon") has 30 days and a year 365. `invalid_input`: it is none, or
/// longer than a hundred years. Pure.
Result<std::int64_t> parse_span(std::string_view text);

}  // namespace footfall::graphite
