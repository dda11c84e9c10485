#include "timeseries_routes/render_time.h"

#include "foundation/calendar_day.h"
#include "foundation/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace footfall::timeseries::routes {
namespace {

constexpr std::int64_t seconds_a_day = 86'400;
/// Year 9999.
constexpr std::uint64_t latest = 253'402'300'799;

constexpr std::array<std::pair<std::string_view, std::int64_t>, 25> spans{{
    {"s", 1},
    {"sec", 1},
    {"secs", 1},
    {"second", 1},
    {"seconds", 1},
    {"m", 60},
    {"min", 60},
    {"mins", 60},
    {"minute", 60},
    {"minutes", 60},
    {"h", 3'600},
    {"hour", 3'600},
    {"hours", 3'600},
    {"d", seconds_a_day},
    {"day", seconds_a_day},
    {"days", seconds_a_day},
    {"w", 7 * seconds_a_day},
    {"week", 7 * seconds_a_day},
    {"weeks", 7 * seconds_a_day},
    {"mon", 30 * seconds_a_day},
    {"month", 30 * seconds_a_day},
    {"months", 30 * seconds_a_day},
    {"y", 365 * seconds_a_day},
    {"year", 365 * seconds_a_day},
    {"years", 365 * seconds_a_day},
}};

std::optional<std::int64_t> parse_span(std::string_view text) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto number = parse_unsigned(text.substr(0, digits));
    const auto* const unit = std::ranges::find(
        spans, text.substr(digits), &std::pair<std::string_view, std::int64_t>::first
    );
    if (!number || unit == spans.end() ||
        *number > latest / static_cast<std::uint64_t>(unit->second)) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(*number) * unit->second;
}

/// "20261130" as the second at which it begins.
std::optional<std::int64_t> parse_compact_day(std::string_view text) {
    if (text.size() != 8) {
        return std::nullopt;
    }
    const auto day =
        parse_day(fmt::format("{}-{}-{}", text.substr(0, 4), text.substr(4, 2), text.substr(6)));
    return day && *day >= 0 ? std::optional{*day * seconds_a_day} : std::nullopt;
}

std::optional<std::int64_t> parse_time_of_day(std::string_view text) {
    const auto hour = text.size() == 5 ? parse_unsigned(text.substr(0, 2)) : std::nullopt;
    const auto minute = text.size() == 5 ? parse_unsigned(text.substr(3)) : std::nullopt;
    if (!hour || !minute || text[2] != ':' || *hour > 23 || *minute > 59) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(*hour * 3'600 + *minute * 60);
}

}  // namespace

std::optional<std::int64_t> parse_render_time(std::string_view text, std::int64_t now) {
    const std::int64_t today = now - now % seconds_a_day;
    if (text == "now") {
        return now;
    }
    if (text == "today" || text == "midnight") {
        return today;
    }
    if (text == "yesterday") {
        return today - seconds_a_day;
    }
    if (text.starts_with('-')) {
        const auto span = parse_span(text.substr(1));
        return span && *span <= now ? std::optional{now - *span} : std::nullopt;
    }
    if (const std::size_t line = text.find('_'); line != std::string_view::npos) {
        const auto time = parse_time_of_day(text.substr(0, line));
        const auto day = parse_compact_day(text.substr(line + 1));
        return time && day ? std::optional{*day + *time} : std::nullopt;
    }
    if (const auto day = parse_compact_day(text)) {
        return day;
    }
    const auto seconds = parse_unsigned(text);
    return seconds && *seconds <= latest ? std::optional{static_cast<std::int64_t>(*seconds)}
                                         : std::nullopt;
}

}  // namespace footfall::timeseries::routes
