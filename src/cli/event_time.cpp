#include "cli/event_time.h"

#include "events/rfc3339.h"
#include "foundation/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctz/civil_time.h>
#include <cstdint>

namespace footfall::cli {
namespace {

using std::chrono::microseconds;

constexpr Instant end_of_time = std::chrono::sys_days{std::chrono::year{10'000} / 1 / 1};

/// Digits beyond microseconds are cut off.
std::optional<microseconds> fraction_of(std::string_view digits) {
    constexpr std::size_t kept = 6;
    auto fraction = parse_unsigned(digits.substr(0, kept));
    if (!fraction || !parse_unsigned(digits.substr(digits.size() - 1))) {
        return std::nullopt;
    }
    for (std::size_t at = digits.size(); at < kept; ++at) {
        *fraction *= 10;
    }
    return microseconds{static_cast<std::int64_t>(*fraction)};
}

/// A number of `unit`s since 1970.
std::optional<Instant> since_epoch(std::string_view digits, microseconds unit) {
    const auto count = parse_unsigned(digits);
    const auto most = static_cast<std::uint64_t>(end_of_time.time_since_epoch() / unit);
    return count && *count < most ? std::optional{Instant{static_cast<std::int64_t>(*count) * unit}}
                                  : std::nullopt;
}

std::optional<Instant> unix_seconds(std::string_view text) {
    const std::size_t point = std::min(text.find('.'), text.size());
    const auto whole = since_epoch(text.substr(0, point), std::chrono::seconds{1});
    if (!whole || point == text.size()) {
        return whole;
    }
    const auto fraction =
        point + 1 < text.size() ? fraction_of(text.substr(point + 1)) : std::nullopt;
    return fraction ? std::optional{*whole + *fraction} : std::nullopt;
}

/// Seconds have had nine digits since 1973 and have eleven at the most.
std::optional<Instant> unix_by_digits(std::string_view text) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits < 9 || digits > 16) {
        return std::nullopt;
    }
    if (digits <= 11) {
        return unix_seconds(text);
    }
    return since_epoch(
        text, digits <= 14 ? microseconds{std::chrono::milliseconds{1}} : microseconds{1}
    );
}

/// "21/Nov/2026:10:00:00 +0100" as RFC 3339 has it; absent when it does not look so.
std::optional<Instant> access_log_time(std::string_view text) {
    constexpr std::string_view shape = "dd/mmm/yyyy:hh:mm:ss +zzzz";
    constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
    if (text.size() != shape.size() || text[2] != '/' || text[6] != '/' || text[11] != ':') {
        return std::nullopt;
    }
    const std::size_t month = months.find(text.substr(3, 3));
    if (month == std::string_view::npos || month % 3 != 0 || text[20] != ' ') {
        return std::nullopt;
    }
    std::array<char, 32> rfc{};
    const auto end = fmt::format_to(
        rfc.data(),
        "{}-{:02}-{}T{}{}:{}",
        text.substr(7, 4),
        month / 3 + 1,
        text.substr(0, 2),
        text.substr(12, 8),
        text.substr(21, 3),
        text.substr(24, 2)
    );
    return events::parse_any_rfc3339({rfc.data(), end});
}

/// The shortest and the longest of the forms below, without a fraction.
constexpr std::string_view day_only = "2026-11-21";
constexpr std::string_view to_the_minute = "2026-11-21T10:00";
constexpr std::size_t longest_local = 40;

}  // namespace

Result<EventTimeFormat> EventTimeFormat::parse(std::string_view format, const std::string& zone) {
    cctz::time_zone found;
    if (!cctz::load_time_zone(zone, &found)) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("--zone {}: there is no such time zone; one is Europe/Berlin", zone)
        );
    }
    if (format == "auto") {
        return EventTimeFormat{Kind::any, "", found};
    }
    if (format == "unix") {
        return EventTimeFormat{Kind::unix_seconds, "", found};
    }
    if (format == "unix_ms") {
        return EventTimeFormat{Kind::unix_milliseconds, "", found};
    }
    if (!format.contains('%')) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "--time-format {}: choose auto, unix, unix_ms, or a pattern such as "
                "'%d.%m.%Y %H:%M'",
                format
            )
        );
    }
    return EventTimeFormat{Kind::pattern, std::string{format}, found};
}

std::optional<Instant> EventTimeFormat::read(std::string_view text) const {
    const auto instant = read_from_any_year(text);
    return instant && *instant >= Instant{} ? instant : std::nullopt;
}

/// Before 1970, too.
std::optional<Instant> EventTimeFormat::read_from_any_year(std::string_view text) const {
    switch (kind_) {
        case Kind::any:
            return read_any(text);
        case Kind::unix_seconds:
            return unix_seconds(text);
        case Kind::unix_milliseconds:
            return since_epoch(text, std::chrono::milliseconds{1});
        case Kind::pattern:
            break;
    }
    cctz::time_point<microseconds> time;
    if (!cctz::parse(pattern_, std::string{text}, zone_, &time)) {
        return std::nullopt;
    }
    const Instant instant{time.time_since_epoch()};
    return instant < end_of_time ? std::optional{instant} : std::nullopt;
}

std::optional<Instant> EventTimeFormat::read_any(std::string_view text) const {
    auto time = events::parse_any_rfc3339(text);
    if (!time) {
        time = access_log_time(text);
    }
    if (!time) {
        time = unix_by_digits(text);
    }
    return time ? time : read_local(text);
}

/// RFC 3339 without a zone: read as if it were UTC, then moved to where it belongs.
std::optional<Instant> EventTimeFormat::read_local(std::string_view text) const {
    if (text.size() > longest_local) {
        return std::nullopt;
    }
    std::string rfc{text};
    if (text.size() == day_only.size()) {
        rfc += "T00:00";
    }
    if (rfc.size() == to_the_minute.size()) {
        rfc += ":00";
    }
    const auto utc = events::parse_any_rfc3339(rfc + "Z");
    if (!utc || zone_ == cctz::utc_time_zone()) {
        return utc;
    }
    const auto seconds = std::chrono::floor<std::chrono::seconds>(*utc);
    const cctz::civil_second civil = cctz::convert(
        cctz::time_point<cctz::seconds>{seconds.time_since_epoch()}, cctz::utc_time_zone()
    );
    const auto there = cctz::convert(civil, zone_);
    return Instant{there.time_since_epoch()} + (*utc - seconds);
}

std::string EventTimeFormat::wanted(std::string_view text) const {
    if (read_from_any_year(text)) {
        return "must be 1970-01-01T00:00:00Z or later";
    }
    switch (kind_) {
        case Kind::any:
            return "must be a time such as 2026-11-21T10:00:00Z, 2026-11-21 10:00, "
                   "21/Nov/2026:10:00:00 +0000 or 1795255200; --time-format names another form";
        case Kind::unix_seconds:
            return "must be the seconds since 1970, such as 1795255200";
        case Kind::unix_milliseconds:
            return "must be the milliseconds since 1970, such as 1795255200000";
        case Kind::pattern:
            break;
    }
    return fmt::format("must be a time as in --time-format '{}'", pattern_);
}

}  // namespace footfall::cli
