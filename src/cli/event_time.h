#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"

#include <cctz/time_zone.h>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::cli {

/// How the times of a file are written (`--time-format`, `--zone`):
///
/// - "auto": RFC 3339 ("2026-11-21T10:00:00.5+01:00"), the same without a zone, without seconds or
///   with the day alone; an access log's "21/Nov/2026:10:00:00 +0100"; Unix time in seconds (with a
///   fraction or not), milliseconds or microseconds, told apart by the number of digits: at least
///   nine, as shorter ones are more likely something else.
/// - "unix", "unix_ms": seconds, with a fraction or not; milliseconds.
/// - else what strptime(3) understands: "%d.%m.%Y %H:%M"; besides, %E*S for seconds with a fraction
///   and %E4Y for a year that other digits follow.
///
/// A time without a zone is one of `zone`; where clocks are put back it is the earlier of the two,
/// and where they are put forward it is the moment when they are. A plain value.
class EventTimeFormat {
public:
    /// `invalid_input` naming the choices when there is no such format, or no such zone.
    static Result<EventTimeFormat> parse(std::string_view format, const std::string& zone);

    /// Absent when `text` is no such time, or before 1970 or after 9999.
    std::optional<Instant> read(std::string_view text) const;

    /// "must be ...", for whoever wrote a text that read() does not take.
    std::string wanted(std::string_view text) const;

private:
    enum class Kind { any, unix_seconds, unix_milliseconds, pattern };

    EventTimeFormat(Kind kind, std::string pattern, cctz::time_zone zone)
        : kind_{kind}, pattern_{std::move(pattern)}, zone_{zone} {}

    std::optional<Instant> read_from_any_year(std::string_view text) const;
    std::optional<Instant> read_any(std::string_view text) const;
    std::optional<Instant> read_local(std::string_view text) const;

    Kind kind_;
    std::string pattern_;
    cctz::time_zone zone_;
};

}  // namespace footfall::cli
