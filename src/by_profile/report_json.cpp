#include "by_profile/report_json.h"

#include "events/rfc3339.h"
#include "foundation/calendar_day.h"
#include "foundation/json_string.h"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>

namespace footfall::by_profile {
namespace {

constexpr std::size_t newest_days = 366;

std::string figures_json(const PeopleFigures& figures, std::string_view counted) {
    return fmt::format(
        R"("{}":{},"actors":{},"people":{})",
        counted,
        figures.counted,
        figures.actors,
        figures.people
    );
}

}  // namespace

std::string report_json(
    const Report& report,
    std::string_view counted,
    const std::optional<DayRange>& range,
    const TimeZone& zone
) {
    const auto& days = report.figures.days;
    const bool has_earlier = !range && days.size() > newest_days;
    std::string json = fmt::format(
        R"("by":"profile",{},"exact":true,"error":0,"provisional":{},"since":{},"partial":{},)"
        R"("looked_at":{},"tz":{},)",
        figures_json(report.figures.all, counted),
        report.provisional,
        report.since ? json_string(events::format_rfc3339(*report.since)) : "null",
        report.partial,
        report.looked_at,
        json_string(zone.name())
    );
    if (range) {
        json += fmt::format(
            R"("from":"{}","to":"{}",)", format_day(range->from), format_day(range->to)
        );
    }
    json += fmt::format(R"("earlier_days":{},"days":[)", has_earlier);
    auto day = days.begin();
    if (has_earlier) {
        std::advance(day, days.size() - newest_days);
    }
    for (bool first = true; day != days.end(); ++day, first = false) {
        json += fmt::format(
            R"({}{{"day":"{}",{}}})",
            first ? "" : ",",
            format_day(day->first),
            figures_json(day->second, counted)
        );
    }
    return json + ']';
}

}  // namespace footfall::by_profile
