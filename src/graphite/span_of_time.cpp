#include "graphite/span_of_time.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

namespace footfall::graphite {
namespace {

constexpr std::int64_t day = 86'400;
constexpr std::int64_t span_max = 36'500 * day;

constexpr std::array<std::pair<std::string_view, std::int64_t>, 7> units{{
    {"s", 1},
    {"min", 60},
    {"h", 3600},
    {"d", day},
    {"w", 7 * day},
    {"mon", 30 * day},
    {"y", 365 * day},
}};

bool is_figure(char each) {
    return each >= '0' && each <= '9';
}

/// 0: there is no such unit.
std::int64_t seconds_of_unit(std::string_view unit) {
    for (const auto& [name, seconds] : units) {
        if (unit.starts_with(name)) {
            return seconds;
        }
    }
    return 0;
}

}  // namespace

Result<std::int64_t> parse_span(std::string_view text) {
    const auto wrong = [&] {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "target: {} is no span of time: write 10s, 5min, 1h, 7d, 2w, 1mon or 1y",
                text.substr(0, 100)
            )
        );
    };
    std::string_view rest = text;
    const bool is_before = rest.starts_with('-');
    if (is_before || rest.starts_with('+')) {
        rest.remove_prefix(1);
    }
    if (rest.empty()) {
        return wrong();
    }
    std::int64_t all = 0;
    while (!rest.empty()) {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
        if (error != std::errc{} || !is_figure(rest.front())) {
            return wrong();
        }
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        std::size_t letters = 0;
        while (letters < rest.size() && !is_figure(rest[letters])) {
            ++letters;
        }
        const std::int64_t unit = seconds_of_unit(rest.substr(0, letters));
        rest.remove_prefix(letters);
        if (unit == 0 || number > span_max / unit || (all += number * unit) > span_max) {
            return wrong();
        }
    }
    return is_before ? -all : all;
}

}  // namespace footfall::graphite
