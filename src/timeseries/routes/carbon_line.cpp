#include "timeseries_routes/carbon_line.h"

#include "foundation/lines.h"
#include "series/name.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <string>

namespace footfall::timeseries::routes {
namespace {

/// Times beyond are nobody's, and would not fit.
constexpr double seconds_max = 1e12;

/// Takes the word before the next blanks, and these.
std::string_view take_word(std::string_view& line) {
    // Not by find_first_of(), which has each byte looked for among both in a call.
    const auto* const blank =
        std::ranges::find_if(line, [](char byte) { return byte == ' ' || byte == '\t'; });
    const auto end = static_cast<std::size_t>(blank - line.begin());
    const std::string_view word = line.substr(0, end);
    line = trimmed(line.substr(end));
    return word;
}

std::optional<double> parse_value(std::string_view text) {
    if (text.starts_with('+')) {
        text.remove_prefix(1);
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

/// Seconds as most senders have them, whole, are read sooner.
std::optional<double> parse_seconds(std::string_view text) {
    std::int64_t whole = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
    if (error == std::errc{} && end == text.data() + text.size()) {
        return static_cast<double>(whole);
    }
    return parse_value(text);
}

}  // namespace

Result<std::optional<PointOf>> read_carbon_line(
    std::string_view line, Instant now, std::string& room
) {
    line = trimmed(line);
    if (line.empty()) {
        return std::nullopt;
    }
    const std::string_view name = take_word(line);
    const auto value = parse_value(take_word(line));
    const std::string_view time = take_word(line);
    if (!value || time.empty() || !line.empty()) {
        return fail(ErrorKind::invalid_input, "a line is NAME VALUE TIME");
    }
    std::int64_t at = std::chrono::floor<std::chrono::milliseconds>(now.time_since_epoch()).count();
    if (time != "N" && time != "-1") {
        const auto seconds = parse_seconds(time);
        if (!seconds || !(std::abs(*seconds) < seconds_max)) {
            return fail(
                ErrorKind::invalid_input, "a time is in seconds since 1970, or N or -1 for now"
            );
        }
        at = std::llround(*seconds * 1000);
    }
    TRY(const std::string_view parsed, series::parse_name(name, room));
    if (std::isnan(*value)) {
        return std::nullopt;
    }
    return PointOf{.name = parsed, .point = {.time = at, .value = *value}};
}

}  // namespace footfall::timeseries::routes
