#include "segment_reports/daily.h"

#include "segment_reports/report_rows.h"

#include <chrono>
#include <optional>

namespace footfall::segment_reports {

Daily::Daily(storage::Store& store, const Clock& clock, Count count)
    : store_{&store}, clock_{&clock}, count_{std::move(count)} {}

Result<std::size_t> Daily::take_turn() {
    TRY(const std::vector<Report> reports, read_reports(*store_));
    std::map<std::pair<std::string, Instant>, std::int32_t> counted;
    std::size_t now_counted = 0;
    for (const Report& each : reports) {
        const std::optional<std::int32_t> due = due_day(each, clock_->now());
        if (!due) {
            continue;
        }
        const std::pair key{each.name, each.created};
        const auto known = counted_.find(key);
        if (known == counted_.end() || known->second != *due) {
            TRY(const std::optional<ReportDay> day, read_day(*store_, each.name, *due));
            if (!day) {
                TRY_VOID(count_for(each, *due));
                ++now_counted;
            }
        }
        counted.emplace(key, *due);
    }
    counted_ = std::move(counted);
    return now_counted;
}

Result<ReportDay> Daily::count_now(const Report& report) const {
    const auto today = std::chrono::floor<std::chrono::days>(clock_->now());
    return count_for(report, static_cast<std::int32_t>(today.time_since_epoch().count()));
}

Result<ReportDay> Daily::count_for(const Report& report, std::int32_t day) const {
    Result<ReportDay> counted = count_(report.segments);
    if (!counted) {
        if (counted.error().kind != ErrorKind::not_found) {
            return counted;
        }
        counted = ReportDay{
            .day = day,
            .segments = {},
            .sizes = {},
            .pairs = {},
            .trouble = counted.error().message,
            .as_of = clock_->now()
        };
    }
    counted->day = day;
    counted->segments = report.segments;
    TRY_VOID(write_day(*store_, report.name, *counted));
    return counted;
}

}  // namespace footfall::segment_reports
