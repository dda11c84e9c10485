#include "views_routes/shown_views.h"

#include "foundation/json_string.h"
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

/// The log as the number that other tables have in their column `log`.
Result<std::string> writer_json(const RowInPage& /*row*/, std::string_view bytes) {
    constexpr std::size_t log_bytes = 8;
    if (bytes.size() != writer_of(0, 0).size()) {
        return fail(ErrorKind::corrupt, "a writer has 10 bytes");
    }
    std::uint64_t log = 0;
    std::uint64_t lane = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::uint64_t& number = at < log_bytes ? log : lane;
        number = number << 8 | static_cast<unsigned char>(bytes[at]);
    }
    return fmt::format(R"({{"log":{},"lane":{}}})", static_cast<std::int64_t>(log), lane);
}

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

constexpr std::array<showing::ShownColumn, 3> columns{{
    {.column = "writer", .json = writer_json},
    {.column = "counts", .json = counts_json},
    {.column = "people", .json = people_json},
}};

}  // namespace

std::span<const showing::ShownColumn> shown_views() {
    return columns;
}

}  // namespace footfall::views::routes
