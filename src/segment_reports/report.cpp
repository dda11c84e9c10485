#include "segment_reports/report.h"

#include <fmt/format.h>

#include <chrono>

namespace footfall::segment_reports {
Result<std::int64_t> minute_of(std::string_view text) {
    const auto digit = [&](std::size_t at) { return std::int64_t{text[at]} - '0'; };
    const bool has_form = text.size() == 5 && text[2] == ':';
    for (const std::size_t at : {0U, 1U, 3U, 4U}) {
        if (!has_form || digit(at) < 0 || digit(at) > 9) {
            return fail(ErrorKind::invalid_input, "a time of the day in UTC, as in \"06:30\"");
        }
    }
    const std::int64_t hour = 10 * digit(0) + digit(1);
    const std::int64_t minute = 10 * digit(3) + digit(4);
    if (hour > 23 || minute > 59) {
        return fail(ErrorKind::invalid_input, "a day has times from \"00:00\" to \"23:59\"");
    }
    return 60 * hour + minute;
}

std::string time_of(std::int64_t minute) {
    return fmt::format("{:02}:{:02}", minute / 60, minute % 60);
}

std::optional<std::int32_t> due_day(const Report& report, Instant now) {
    const std::chrono::minutes time{report.minute};
    const auto day = std::chrono::floor<std::chrono::days>(now - time);
    if (Instant{day + time} < report.created) {
        return std::nullopt;
    }
    return static_cast<std::int32_t>(day.time_since_epoch().count());
}

}  // namespace footfall::segment_reports
