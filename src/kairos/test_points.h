#pragma once

#include "kairos/aggregation.h"

#include <chrono>
#include <utility>
#include <vector>

// What the tests of this module are written with.
namespace footfall::kairos {

inline constexpr Time hour = 3'600'000;
inline constexpr Time day = 24 * hour;

inline Time date(int year, unsigned month, unsigned of_month = 1, Time time_of_day = 0) {
    const std::chrono::year_month_day date{
        std::chrono::year{year}, std::chrono::month{month}, std::chrono::day{of_month}
    };
    return std::chrono::sys_days{date}.time_since_epoch().count() * day + time_of_day;
}

inline Points points(const std::vector<std::pair<Time, double>>& pairs) {
    Points all;
    for (const auto& [time, value] : pairs) {
        all.push_back({.time = time, .value = value});
    }
    return all;
}

}  // namespace footfall::kairos
