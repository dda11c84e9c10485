#pragma once

#include "foundation/clock.h"

#include <optional>
#include <string>
#include <string_view>

namespace footfall::events {

/// Reads "2026-11-21T10:00:00Z", "2026-11-21T12:00:00.5+02:00": RFC 3339 section 5.6, with a zone.
/// Digits beyond microseconds are cut off; a leap second is the first of the next minute. Absent
/// when it is no such time, or before 1970 or after 9999. Pure.
std::optional<Instant> parse_rfc3339(std::string_view text);

/// The same from the year 0000 on: for who has to say why a time is refused.
std::optional<Instant> parse_any_rfc3339(std::string_view text);

/// "2026-11-21T10:00:00Z", with as many digits of a fraction as are needed: three or six.
std::string format_rfc3339(Instant instant);

}  // namespace footfall::events
