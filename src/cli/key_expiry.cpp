#include "cli/key_expiry.h"

#include "events/rfc3339.h"
#include "foundation/calendar_day.h"
#include "foundation/parse_number.h"

#include <fmt/format.h>

#include <chrono>

namespace footfall::cli {
namespace {

/// Further away nobody means it, and sums stay small.
constexpr std::chrono::days longest{36'500};

}  // namespace

Result<Instant> parse_key_expiry(std::string_view text, Instant now) {
    if (const auto time = events::parse_rfc3339(text)) {
        return *time;
    }
    if (const auto day = parse_day(text)) {
        return Instant{std::chrono::days{*day + 1}};
    }
    const auto duration = parse_duration(text);
    if (duration && *duration <= longest) {
        return now + *duration;
    }
    return fail(
        ErrorKind::invalid_input,
        fmt::format(
            "--expires {}: give a duration such as 90d, a day such as 2027-06-30, or a time such "
            "as 2027-06-30T12:00:00Z",
            text
        )
    );
}

}  // namespace footfall::cli
