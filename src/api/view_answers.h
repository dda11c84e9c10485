#pragma once

#include "foundation/time_zone.h"
#include "views/report.h"

#include <optional>
#include <string>

namespace footfall::api {

/// What a request asks of an object; owns what the query borrows.
struct AboutViews {
    std::string object;  ///< Empty: all of them together.
    std::string action;
    TimeZone zone;
    std::optional<views::DayRange> range;
};

/// What the views of it come to, as JSON.
std::string report_json(const AboutViews& asked, const views::Report& report);

}  // namespace footfall::api
