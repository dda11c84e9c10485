#include "views_routes/view_answers.h"

#include "events/read_by.h"
#include "foundation/calendar_day.h"
#include "foundation/json_string.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace footfall::views::routes {
namespace {

void append_counts(const EventCounts& counts, std::string& json) {
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

/// RFC 3339 by the clock of the zone: 2026-10-25T02:00:00+02:00. The offset tells apart two hours
/// that the clock shows alike.
std::string hour_text(Instant begin, const TimeZone& zone) {
    const std::chrono::seconds offset = zone.offset_at(begin);
    const auto there = std::chrono::floor<std::chrono::seconds>(begin) + offset;
    const auto midnight = std::chrono::floor<std::chrono::days>(there);
    const std::chrono::hh_mm_ss time{there - midnight};
    const std::chrono::hh_mm_ss ahead{std::chrono::abs(offset)};
    return fmt::format(
        "{}T{:02}:{:02}:{:02}{}{:02}:{:02}",
        format_day(static_cast<Day>(midnight.time_since_epoch().count())),
        time.hours().count(),
        time.minutes().count(),
        time.seconds().count(),
        offset < std::chrono::seconds{0} ? '-' : '+',
        ahead.hours().count(),
        ahead.minutes().count()
    );
}

void append_hours(const std::vector<HourReport>& hours, const TimeZone& zone, std::string& json) {
    json += R"(,"hours":[)";
    for (const HourReport& hour : hours) {
        json += fmt::format(
            R"({}{{"hour":"{}",)", json.ends_with('[') ? "" : ",", hour_text(hour.begin, zone)
        );
        append_counts(hour.counts, json);
        json += '}';
    }
    json += ']';
}

}  // namespace

std::string standing_json(const Standing& standing, Instant now) {
    if (!standing.provisional || !standing.stored) {
        return fmt::format(R"("provisional":{},"age":null)", standing.provisional);
    }
    const std::chrono::duration<double> age = now - *standing.stored;
    return fmt::format(R"("provisional":true,"age":{:.3f})", std::max(age.count(), 0.0));
}

std::string people_figures(
    std::string_view action, std::uint64_t people, bool exact, double error
) {
    return action == events::read_action
               ? std::string{unknown_people_figures()}
               : fmt::format(R"("people":{},"exact":{},"error":{:.6g})", people, exact, error);
}

std::string_view unknown_people_figures() {
    return R"("people":null,"exact":null,"error":null)";
}

std::string report_json(const AboutViews& asked, const Report& report, Instant now) {
    std::string json = fmt::format(
        R"({{"object":{},"action":{},)",
        asked.object.empty() ? "null" : json_string(asked.object),
        json_string(asked.action)
    );
    append_counts(report.counts, json);
    json += fmt::format(
        R"(,{},{},"tz":{},"people_tz":"UTC",)",
        people_figures(asked.action, report.people, report.exact, report.error),
        standing_json(report.standing, now),
        json_string(asked.zone.name())
    );
    if (asked.range) {
        json += fmt::format(
            R"("from":"{}","to":"{}",)", format_day(asked.range->from), format_day(asked.range->to)
        );
    }
    json += fmt::format(R"("earlier_days":{},"days":[)", report.earlier_days);
    for (const DayReport& day : report.days) {
        json +=
            fmt::format(R"({}{{"day":"{}",)", json.ends_with('[') ? "" : ",", format_day(day.day));
        append_counts(day.counts, json);
        json += day.people && asked.action != events::read_action
                    ? fmt::format(R"(,"people":{}}})", *day.people)
                    : R"(,"people":null})";
    }
    json += ']';
    if (asked.by_hour) {
        append_hours(report.hours, asked.zone, json);
    }
    json += '}';
    return json;
}

}  // namespace footfall::views::routes
