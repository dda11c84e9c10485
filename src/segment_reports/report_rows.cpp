#include "segment_reports/report_rows.h"

#include "foundation/json_string.h"
#include "foundation/varint.h"
#include "segment_reports/schema.h"
#include "storage/blocking.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

#include <chrono>
#include <string_view>
#include <utility>

namespace footfall::segment_reports {
namespace {

constexpr std::uint64_t one_of_max = 1 << 16;

/// The only partition of segment_report.
constexpr std::string_view all_reports = "all";

std::string names_text(const std::vector<std::string>& names) {
    std::string text = "[";
    for (const std::string& each : names) {
        text += text.size() == 1 ? "" : ",";
        text += json_string(each);
    }
    return text + "]";
}

std::unexpected<Error> damaged() {
    return fail(ErrorKind::corrupt, "a row of a report of segments is damaged");
}

Result<std::vector<std::string>> names_in(std::string_view text) {
    boost::system::error_code failed;
    const boost::json::value value = boost::json::parse(text, failed);
    const auto* const list = failed ? nullptr : value.if_array();
    if (list == nullptr) {
        return damaged();
    }
    std::vector<std::string> names;
    for (const boost::json::value& each : *list) {
        if (!each.is_string()) {
            return damaged();
        }
        names.emplace_back(each.get_string());
    }
    return names;
}

/// Sizes, and behind them pairs, each as a varint; behind these, of estimates, of how many people
/// one was looked at.
std::string packed(const ReportDay& day) {
    std::string bytes;
    for (const auto* const numbers : {&day.sizes, &day.pairs}) {
        for (const std::uint64_t each : *numbers) {
            append_varint(each, bytes);
        }
    }
    if (day.one_of != 1) {
        append_varint(day.one_of, bytes);
    }
    return bytes;
}

Result<void> unpack(std::string_view bytes, ReportDay& day) {
    const std::size_t segments = day.segments.size();
    const std::size_t numbers = segments + segments * (segments - 1) / 2;
    for (std::size_t at = 0; at < numbers; ++at) {
        std::uint64_t number = 0;
        if (!take_varint(bytes, number)) {
            return damaged();
        }
        (at < segments ? day.sizes : day.pairs).push_back(number);
    }
    std::uint64_t one_of = 1;
    const bool is_whole = bytes.empty() || (take_varint(bytes, one_of) && bytes.empty());
    if (!is_whole || one_of == 0 || one_of > one_of_max) {
        return damaged();
    }
    day.one_of = static_cast<std::uint32_t>(one_of);
    return {};
}

Instant report_instant(const storage::Rows& rows, std::size_t row, std::size_t column) {
    return Instant{std::chrono::microseconds{rows.at(row, column).number()}};
}

Result<Report> report_at(const storage::Rows& rows, std::size_t row) {
    Report report{
        .name = std::string{rows.at(row, 1).text()},
        .segments = {},
        .minute = rows.at(row, 3).number(),
        .created = report_instant(rows, row, 4)
    };
    TRY(report.segments, names_in(rows.at(row, 2).text()));
    return report;
}

Result<ReportDay> day_at(const storage::Rows& rows, std::size_t row) {
    ReportDay day{
        .day = static_cast<std::int32_t>(rows.at(row, 1).number()),
        .segments = {},
        .sizes = {},
        .pairs = {},
        .trouble = {},
        .as_of = report_instant(rows, row, 5)
    };
    TRY(day.segments, names_in(rows.at(row, 2).text()));
    if (const std::string_view trouble = rows.at(row, 4).text(); !trouble.empty()) {
        day.trouble = trouble;
        return day;
    }
    TRY_VOID(unpack(rows.at(row, 3).text(), day));
    return day;
}

std::int64_t end_of(std::int32_t day) {
    const Instant begin{std::chrono::sys_days{std::chrono::days{day}}};
    return std::chrono::floor<std::chrono::microseconds>(begin + kept_days)
        .time_since_epoch()
        .count();
}

}  // namespace

Result<std::vector<Report>> read_reports(storage::Store& store) {
    TRY(const storage::Rows rows,
        storage::read_all(
            store, {.table = &segment_report_table, .partition = {std::string{all_reports}}}
        ));
    std::vector<Report> reports;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        TRY(reports.emplace_back(), report_at(rows, row));
    }
    return reports;
}

Result<std::optional<Report>> read_report(storage::Store& store, const std::string& name) {
    TRY(const storage::Found found,
        storage::read_many(store, segment_report_table, {{std::string{all_reports}, name}}));
    const std::optional<std::size_t> row = found.row_of_key.front();
    if (!row) {
        return std::nullopt;
    }
    return report_at(found.rows, *row);
}

Result<void> write_report(storage::Store& store, const Report& report) {
    storage::Batch batch;
    batch.upsert(
        segment_report_table,
        {all_reports,
         report.name,
         names_text(report.segments),
         report.minute,
         std::int64_t{report.created.time_since_epoch().count()}}
    );
    return storage::write_durably(store, batch);
}

Result<bool> remove_report(storage::Store& store, const std::string& name) {
    TRY(const std::optional<Report> report, read_report(store, name));
    TRY(const storage::Rows rows,
        storage::read_all(store, {.table = &segment_report_day_table, .partition = {name}}));
    storage::Batch batch;
    batch.erase(segment_report_table, {all_reports, name});
    for (std::size_t row = 0; row < rows.size(); ++row) {
        batch.erase(segment_report_day_table, {name, rows.at(row, 1).number()});
    }
    TRY_VOID(storage::write_durably(store, batch));
    return report.has_value();
}

Result<std::vector<ReportDay>> read_days(
    storage::Store& store, const std::string& name, Instant now
) {
    TRY(const storage::Rows rows,
        storage::read_all(store, {.table = &segment_report_day_table, .partition = {name}}));
    std::vector<ReportDay> days;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (report_instant(rows, row, 6) > now) {
            TRY(days.emplace_back(), day_at(rows, row));
        }
    }
    return days;
}

Result<std::optional<ReportDay>> read_day(
    storage::Store& store, const std::string& name, std::int32_t day
) {
    TRY(const storage::Found found,
        storage::read_many(store, segment_report_day_table, {{name, std::int64_t{day}}}));
    const std::optional<std::size_t> row = found.row_of_key.front();
    if (!row) {
        return std::nullopt;
    }
    return day_at(found.rows, *row);
}

Result<void> write_day(storage::Store& store, const std::string& name, const ReportDay& day) {
    storage::Batch batch;
    batch.upsert(
        segment_report_day_table,
        {name,
         std::int64_t{day.day},
         names_text(day.segments),
         packed(day),
         day.trouble.value_or(""),
         std::int64_t{day.as_of.time_since_epoch().count()},
         end_of(day.day)}
    );
    return storage::write_durably(store, batch);
}

}  // namespace footfall::segment_reports
