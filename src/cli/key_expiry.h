#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"

#include <string_view>

namespace footfall::cli {

/// When a key ends: "90d", "12h" and so on from `now` on; "2027-06-30", through the end of that UTC
/// day; or "2027-06-30T12:00:00Z". `invalid_input` otherwise. Pure.
Result<Instant> parse_key_expiry(std::string_view text, Instant now);

}  // namespace footfall::cli
