#include "foundation/calendar_day.h"

#include "foundation/parse_number.h"

#include <fmt/format.h>

#include <chrono>

namespace footfall {
namespace {

using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr std::size_t text_size = 10;

}  // namespace

std::optional<std::int32_t> parse_day(std::string_view text) {
    if (text.size() != text_size || text[4] != '-' || text[7] != '-') {
        return std::nullopt;
    }
    const auto year = parse_unsigned(text.substr(0, 4));
    const auto month = parse_unsigned(text.substr(5, 2));
    const auto day = parse_unsigned(text.substr(8, 2));
    if (!year || !month || !day) {
        return std::nullopt;
    }
    const year_month_day date{
        std::chrono::year{static_cast<int>(*year)},
        std::chrono::month{static_cast<unsigned>(*month)},
        std::chrono::day{static_cast<unsigned>(*day)}
    };
    if (!date.ok()) {
        return std::nullopt;
    }
    return sys_days{date}.time_since_epoch().count();
}

std::string format_day(std::int32_t days) {
    const year_month_day date{sys_days{std::chrono::days{days}}};
    return fmt::format(
        "{:04}-{:02}-{:02}",
        static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()),
        static_cast<unsigned>(date.day())
    );
}

}  // namespace footfall
