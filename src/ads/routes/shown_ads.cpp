#include "ads_routes/shown_ads.h"

#include "ads/income_rows.h"
#include "ads/money_text.h"
#include "ads/packed.h"
#include "foundation/calendar_day.h"
#include "foundation/json_string.h"
#include "jobs/shown_writer.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

namespace footfall::ads::routes {
namespace {

using showing::RowInPage;

std::string amounts_json(const Amounts& amounts) {
    return fmt::format(R"({{{},"amount":"{}"}})", counts_json(amounts), money_text(amounts.amount));
}

/// Hours and minutes since the ledger day began.
std::string quarter_text(unsigned quarter) {
    return fmt::format("{:02}:{:02}", quarter / 4, quarter % 4 * 15);
}

std::string_view comma(std::string_view json) {
    return json.ends_with('{') ? "" : ",";
}

/// {"2026-11-21":{"clicks":2,"sales":0,"refunds":0,"amount":"0.01"}}.
Result<std::string> days_json(const RowInPage& /*row*/, std::string_view bytes) {
    TRY(const AmountsByDay days, read_days(bytes));
    std::string json = "{";
    for (const auto& [day, amounts] : days) {
        json += fmt::format(R"({}"{}":{})", comma(json), format_day(day), amounts_json(amounts));
    }
    return json + "}";
}

/// {"10:00":{..}}, as above.
Result<std::string> quarters_json(const RowInPage& /*row*/, std::string_view bytes) {
    TRY(const AmountsByQuarter quarters, read_quarters(bytes));
    std::string json = "{";
    for (const auto& [quarter, amounts] : quarters) {
        json +=
            fmt::format(R"({}"{}":{})", comma(json), quarter_text(quarter), amounts_json(amounts));
    }
    return json + "}";
}

/// {"repeat":{"10:15":1}}.
Result<std::string> refused_json(const RowInPage& /*row*/, std::string_view bytes) {
    TRY(const RefusalsByQuarter refused, read_refusals(bytes));
    std::string json = "{";
    for (const auto& [reason, quarters] : refused) {
        json += fmt::format("{}{}:{{", comma(json), json_string(reason));
        for (const auto& [quarter, events] : quarters) {
            json += fmt::format(R"({}"{}":{})", comma(json), quarter_text(quarter), events);
        }
        json += "}";
    }
    return json + "}";
}

/// A statement's rows are stored as they stand in its JSON, without the braces.
Result<std::string> rows_json(const RowInPage& /*row*/, std::string_view bytes) {
    if (!bytes.starts_with(R"("earned":)")) {
        return fail(ErrorKind::corrupt, "rows of a sealed month are damaged");
    }
    return fmt::format("{{{}}}", bytes);
}

}  // namespace

std::span<const showing::ShownColumn> shown_ads() {
    using showing::ShownColumn;
    static const std::array columns{
        jobs::shown_writer,
        ShownColumn{.column = "days", .json = days_json},
        ShownColumn{.column = "quarters", .json = quarters_json},
        ShownColumn{.column = "refused", .json = refused_json},
        ShownColumn{.column = "rows", .json = rows_json}
    };
    return columns;
}

}  // namespace footfall::ads::routes
