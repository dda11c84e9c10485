#pragma once

#include "by_profile/survey.h"
#include "foundation/time_zone.h"

#include <optional>
#include <string>
#include <string_view>

namespace footfall::by_profile {

/// `"by":"profile","counted":..,"actors":..,"people":..,` and what belongs to it, up to the last
/// member, "days". `counted`: what its events are called. Of a question without a range the newest
/// days are told.
std::string report_json(
    const Report& report,
    std::string_view counted,
    const std::optional<DayRange>& range,
    const TimeZone& zone
);

}  // namespace footfall::by_profile
