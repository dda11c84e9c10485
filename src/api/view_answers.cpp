#include "api/view_answers.h"

#include "foundation/calendar_day.h"
#include "foundation/json_string.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace footfall::api {
namespace {

void append_counts(const views::EventCounts& counts, std::string& json) {
    json +=
        fmt::format(R"("events":{},"counted":{},"refused":{{)", counts.events(), counts.counted);
    for (bool first = true; const auto& [reason, events] : counts.refused) {
        json += first ? "" : ",";
        first = false;
        append_json_string(json, reason);
        json += fmt::format(":{}", events);
    }
    json += '}';
}

}  // namespace

std::string standing_json(const views::Standing& standing, Instant now) {
    if (!standing.provisional || !standing.stored) {
        return fmt::format(R"("provisional":{},"age":null)", standing.provisional);
    }
    const std::chrono::duration<double> age = now - *standing.stored;
    return fmt::format(R"("provisional":true,"age":{:.3f})", std::max(age.count(), 0.0));
}

std::string report_json(const AboutViews& asked, const views::Report& report, Instant now) {
    std::string json = fmt::format(
        R"({{"object":{},"action":{},)",
        asked.object.empty() ? "null" : json_string(asked.object),
        json_string(asked.action)
    );
    append_counts(report.counts, json);
    json += fmt::format(
        R"(,"people":{},"exact":{},"error":{:.6g},{},"tz":{},"people_tz":"UTC",)",
        report.people,
        report.exact,
        report.error,
        standing_json(report.standing, now),
        json_string(asked.zone.name())
    );
    if (asked.range) {
        json += fmt::format(
            R"("from":"{}","to":"{}",)", format_day(asked.range->from), format_day(asked.range->to)
        );
    }
    json += fmt::format(R"("earlier_days":{},"days":[)", report.earlier_days);
    for (const views::DayReport& day : report.days) {
        json +=
            fmt::format(R"({}{{"day":"{}",)", json.ends_with('[') ? "" : ",", format_day(day.day));
        append_counts(day.counts, json);
        json += day.people ? fmt::format(R"(,"people":{}}})", *day.people) : R"(,"people":null})";
    }
    json += "]}";
    return json;
}

}  // namespace footfall::api
