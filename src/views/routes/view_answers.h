#pragma once

#include "foundation/clock.h"
#include "foundation/time_zone.h"
#include "views/report.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::views::routes {

/// What a request asks of an object; owns what the query borrows.
struct AboutViews {
    std::string object;  ///< Empty: all of them together.
    std::string action;
    TimeZone zone;
    std::optional<DayRange> range;
    bool by_hour = false;
};

/// `"people":..,"exact":..,"error":..` of an action. All are null of reads: readers are known to
/// reading alone.
std::string people_figures(std::string_view action, std::uint64_t people, bool exact, double error);

/// The same where they are not known.
std::string_view unknown_people_figures();

/// What the views of it come to, as JSON, told at `now`.
std::string report_json(const AboutViews& asked, const Report& report, Instant now);

/// `"provisional":false,"age":null`, or for how many seconds what is told may be out of date.
std::string standing_json(const Standing& standing, Instant now);

}  // namespace footfall::views::routes
