#pragma once

#include "foundation/calendar_day.h"

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace footfall::ads {

/// A ledger day: days since 1970-01-01 in the ledger's zone.
using Day = std::int32_t;

/// A ledger month: months since January 1970.
using Month = std::int32_t;

/// In which rates stand that were given before the first seal: they hold for all months.
inline constexpr Month from_the_beginning = std::numeric_limits<Month>::min();

inline Month month_of(Day day) {
    const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
    return 12 * (static_cast<int>(date.year()) - 1970) +
           static_cast<Month>(static_cast<unsigned>(date.month())) - 1;
}

inline Day first_day(Month month) {
    const std::chrono::year_month since{std::chrono::year{1970}, std::chrono::January};
    const std::chrono::year_month_day date = (since + std::chrono::months{month}) / 1;
    return static_cast<Day>(std::chrono::sys_days{date}.time_since_epoch().count());
}

inline Day last_day(Month month) {
    return first_day(month + 1) - 1;
}

/// "2026-11".
inline std::string month_text(Month month) {
    return format_day(first_day(month)).substr(0, std::string_view{"2026-11"}.size());
}

}  // namespace footfall::ads
