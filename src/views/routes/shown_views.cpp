#include "views_routes/shown_views.h"

#include "foundation/json_string.h"
#include "jobs/shown_writer.h"
#include "sketches/sketch.h"
#include "views/counts.h"
#include "views/schema.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace footfall::views::routes {
namespace {

using showing::RowInPage;

bool is_of_a_day(const storage::Table& table) {
    return table.clustering.front().name == view_day_table.clustering.front().name;
}

/// Of a day {"10:00":300}, by quarter-hour (UTC); of all time the sum alone.
std::string quarters_json(const std::map<unsigned, std::uint64_t>& quarters, bool of_a_day) {
    if (!of_a_day) {
        std::uint64_t sum = 0;
        for (const auto& [quarter, events] : quarters) {
            sum += events;
        }
        return fmt::to_string(sum);
    }
    std::string json = "{";
    for (const auto& [quarter, events] : quarters) {
        json += json.size() > 1 ? "," : "";
        json += fmt::format(R"("{:02}:{:02}":{})", quarter / 4, quarter % 4 * 15, events);
    }
    return json + "}";
}

/// {"counted":{..},"refused":{"repeat":{..}}}.
Result<std::string> counts_json(const RowInPage& row, std::string_view bytes) {
    Reasons reasons;
    TRY(const Counts counts, Counts::read(bytes, reasons));
    std::map<std::string, std::map<unsigned, std::uint64_t>> by_reason;
    for (const CountOfReason& each : counts.told(reasons)) {
        by_reason[each.reason][each.quarter] = each.events;
    }
    const bool of_a_day = is_of_a_day(row.table());
    std::string json =
        fmt::format(R"({{"counted":{},"refused":{{)", quarters_json(by_reason[""], of_a_day));
    by_reason.erase("");
    for (const auto& [reason, quarters] : by_reason) {
        json += json.ends_with('{') ? "" : ",";
        json += fmt::format("{}:{}", json_string(reason), quarters_json(quarters, of_a_day));
    }
    return json + "}}";
}

/// {"people":3,"exact":true,"error":0,"bytes":14}.
Result<std::string> people_json(const RowInPage& /*row*/, std::string_view bytes) {
    TRY(const sketches::Sketch sketch, sketches::Sketch::read(bytes, deployment_sketch_key));
    const sketches::Estimate people = sketch.people();
    const bool is_exact = sketch.tokens().has_value();
    return fmt::format(
        R"({{"people":{},"exact":{},"error":{:.6g},"bytes":{}}})",
        std::llround(people.count),
        is_exact,
        is_exact ? 0 : people.error,
        bytes.size()
    );
}

}  // namespace

std::span<const showing::ShownColumn> shown_views() {
    static const std::array columns{
        jobs::shown_writer,
        showing::ShownColumn{.column = "counts", .json = counts_json},
        showing::ShownColumn{.column = "people", .json = people_json}
    };
    return columns;
}

}  // namespace footfall::views::routes
