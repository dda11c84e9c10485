#include "segments_routes/report_routes.h"

#include "api/table_answer.h"
#include "events/rfc3339.h"
#include "foundation/calendar_day.h"
#include "foundation/json_string.h"
#include "foundation/names.h"
#include "segment_reports/report_rows.h"
#include "segments_routes/estimate_json.h"
#include "segments_routes/report_turns.h"
#include "segments_routes/segment_queries.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace footfall::segments::routes {
namespace {

using api::Asked;
using http_server::Method;
using http_server::Request;
using http_server::Response;
using segment_reports::Report;
using segment_reports::ReportDay;

constexpr std::size_t reports_max = 100;

std::string names_json(const std::vector<std::string>& names) {
    std::string json = "[";
    for (const std::string& each : names) {
        json += json.size() == 1 ? "" : ",";
        json += json_string(each);
    }
    return json + "]";
}

std::string report_json(const Report& report) {
    return fmt::format(
        R"({{"name":{},"segments":{},"at":"{}","created":"{}"}})",
        json_string(report.name),
        names_json(report.segments),
        segment_reports::time_of(report.minute),
        events::format_rfc3339(report.created)
    );
}

/// Without its numbers.
std::string day_json(const ReportDay& day) {
    return fmt::format(
        R"({{"day":"{}","as_of":"{}","trouble":{}}})",
        format_day(day.day),
        events::format_rfc3339(day.as_of),
        day.trouble ? json_string(*day.trouble) : "null"
    );
}

/// With a row for each two segments.
std::string numbers_json(const Report& report, const ReportDay& day) {
    std::string json = fmt::format(
        R"({{"name":{},"day":"{}","as_of":"{}","trouble":{},"sizes":{{)",
        json_string(report.name),
        format_day(day.day),
        events::format_rfc3339(day.as_of),
        day.trouble ? json_string(*day.trouble) : "null"
    );
    for (std::size_t at = 0; at < day.sizes.size(); ++at) {
        json += fmt::format(
            "{}{}:{}", at == 0 ? "" : ",", json_string(day.segments[at]), day.sizes[at]
        );
    }
    json += R"(},"overlap":[)";
    auto both = day.pairs.begin();
    for (std::size_t one = 0; one < day.sizes.size(); ++one) {
        for (std::size_t other = one + 1; other < day.sizes.size(); ++other) {
            json += fmt::format(
                R"({}{{"first":{},"second":{},"first_people":{},"second_people":{},{}}})",
                json.ends_with('[') ? "" : ",",
                json_string(day.segments[one]),
                json_string(day.segments[other]),
                day.sizes[one],
                day.sizes[other],
                pair_members(estimate_of(*both++, day.one_of))
            );
        }
    }
    return json + "]}";
}

Response answer_numbers(const Request& request, const Report& report, const ReportDay& day) {
    return api::as_asked(
        request,
        api::json_answer(numbers_json(report, day)),
        {.lists = {{.name = "overlap"}},
         .columns =
             {"first",
              "second",
              "first_people",
              "second_people",
              "count",
              "exact",
              "error",
              "low",
              "high"}}
    );
}

Response unknown_report(const std::string& name) {
    return api::answer_error(
        {.kind = ErrorKind::not_found, .message = fmt::format("there is no report \"{}\"", name)},
        "name"
    );
}

storage::Store& store_of(const Sources& sources) {
    return sources.settling->store();
}

Asked<std::string> report_in_path(const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {})) {
        return std::unexpected(*std::move(refused));
    }
    Asked<std::string> name = api::text_in_path(request, 0, "name");
    if (!name) {
        return name;
    }
    if (const auto sound = check_plain_name("name of a report", *name); !sound) {
        return std::unexpected(api::invalid_input(sound.error().message, "name"));
    }
    return name;
}

Asked<Report> known_report(const Sources& sources, const Request& request) {
    const Asked<std::string> name = report_in_path(request);
    if (!name) {
        return std::unexpected(name.error());
    }
    auto read = segment_reports::read_report(store_of(sources), *name);
    if (!read) {
        return std::unexpected(api::answer_error(read.error()));
    }
    std::optional<Report>& report = *read;
    if (!report) {
        return std::unexpected(unknown_report(*name));
    }
    return *std::move(report);
}

Response list_reports(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refused);
    }
    const auto reports = segment_reports::read_reports(store_of(sources));
    if (!reports) {
        return api::answer_error(reports.error());
    }
    std::string json = R"({"reports":[)";
    for (const Report& each : *reports) {
        json += json.ends_with('[') ? "" : ",";
        json += report_json(each);
    }
    return api::json_answer(json + "]}");
}

Response show_report(const Sources& sources, const Request& request) {
    const Asked<Report> report = known_report(sources, request);
    return report ? api::json_answer(report_json(*report)) : report.error();
}

/// The first segment that is not there, as an answer; absent: all are.
std::optional<Response> refuse_unknown_segment(
    const Sources& sources, const std::vector<std::string>& names
) {
    for (std::size_t at = 0; at < names.size(); ++at) {
        const auto known = sources.segments->find(names[at]);
        if (!known) {
            return api::answer_error(known.error());
        }
        if (!*known) {
            return api::answer_error(
                {.kind = ErrorKind::not_found,
                 .message = fmt::format("there is no segment \"{}\"", names[at])},
                fmt::format("segments[{}]", at)
            );
        }
    }
    return std::nullopt;
}

Response put_report(const Sources& sources, const Request& request) {
    const Asked<std::string> name = report_in_path(request);
    if (!name) {
        return name.error();
    }
    auto query = read_report_query(request.body);
    if (!query) {
        return std::move(query).error();
    }
    if (auto refused = refuse_unknown_segment(sources, query->segments)) {
        return *std::move(refused);
    }
    const auto reports = segment_reports::read_reports(store_of(sources));
    if (!reports) {
        return api::answer_error(reports.error());
    }
    const auto before = std::ranges::find(*reports, *name, &Report::name);
    const bool is_new = before == reports->end();
    if (is_new && reports->size() >= reports_max) {
        return api::answer_error(
            {.kind = ErrorKind::conflict,
             .message = fmt::format(
                 "there are {} reports, which is the most; remove one first", reports_max
             )}
        );
    }
    const Report report{
        .name = *name,
        .segments = std::move(query->segments),
        .minute = query->minute,
        .created = is_new ? sources.clock->now() : before->created
    };
    if (const auto written = segment_reports::write_report(store_of(sources), report); !written) {
        return api::answer_error(written.error());
    }
    return api::json_answer(report_json(report), is_new ? 201 : 200);
}

Response remove_report(const Sources& sources, const Request& request) {
    const Asked<std::string> name = report_in_path(request);
    if (!name) {
        return name.error();
    }
    const Result<bool> removed = segment_reports::remove_report(store_of(sources), *name);
    if (!removed) {
        return api::answer_error(removed.error());
    }
    return *removed ? Response{.status = 204} : unknown_report(*name);
}

Response count_report_now(const Sources& sources, const Request& request) {
    const Asked<Report> report = known_report(sources, request);
    if (!report) {
        return report.error();
    }
    const segment_reports::Daily daily{
        store_of(sources),
        *sources.clock,
        [&](const std::vector<std::string>& segments) {
            return count_report(*sources.people, segments);
        }
    };
    const auto day = daily.count_now(*report);
    return day ? answer_numbers(request, *report, *day) : api::answer_error(day.error());
}

Response list_days(const Sources& sources, const Request& request) {
    const Asked<Report> report = known_report(sources, request);
    if (!report) {
        return report.error();
    }
    const auto days =
        segment_reports::read_days(store_of(sources), report->name, sources.clock->now());
    if (!days) {
        return api::answer_error(days.error());
    }
    std::string json = R"({"days":[)";
    for (const ReportDay& each : *days) {
        json += json.ends_with('[') ? "" : ",";
        json += day_json(each);
    }
    return api::json_answer(json + "]}");
}

/// Of the date in the path, or the latest that there is.
Asked<ReportDay> asked_day(
    const Sources& sources, const Request& request, const std::string& report
) {
    const Asked<std::string> text = api::text_in_path(request, 1, "day");
    const bool latest = text && *text == "latest";
    const std::optional<std::int32_t> date = text ? parse_day(*text) : std::nullopt;
    if (!latest && !date) {
        return std::unexpected(
            api::invalid_input("day is a date, as in 2026-11-29, or latest", "day")
        );
    }
    auto days = segment_reports::read_days(store_of(sources), report, sources.clock->now());
    if (!days) {
        return std::unexpected(api::answer_error(days.error()));
    }
    for (ReportDay& each : *days) {
        if (latest || each.day == *date) {
            return std::move(each);
        }
    }
    return std::unexpected(api::answer_error(
        {.kind = ErrorKind::not_found,
         .message = latest ? "nothing was counted for this report yet"
                           : fmt::format("nothing was counted for this report on {}", *text)},
        "day"
    ));
}

Response show_day(const Sources& sources, const Request& request) {
    const Asked<Report> report = known_report(sources, request);
    if (!report) {
        return report.error();
    }
    const Asked<ReportDay> day = asked_day(sources, request, report->name);
    return day ? answer_numbers(request, *report, *day) : day.error();
}

}  // namespace

void add_report_routes(api::FrontDoor& door, const Sources& sources) {
    const auto scope = keys::Scope::people;
    const std::string all = "/api/v1/segment_reports";
    const std::string one = all + "/{name}";
    const auto look_up = [&](Answer answer) {
        return on(sources.lookups, sources, std::move(answer));
    };
    const auto survey = [&](Answer answer) {
        return on(sources.surveys, sources, std::move(answer));
    };
    door.add(scope, Method::get, all, look_up(list_reports));
    door.add(scope, Method::get, one, look_up(show_report));
    door.acting({.kind = "segment_report_put"})
        .add(scope, Method::put, one, survey(put_report), {.bytes = segments_asked_bytes_max});
    door.acting({.kind = "segment_report_removed"})
        .add(scope, Method::del, one, look_up(remove_report));
    door.add(scope, Method::post, one + "/count", survey(count_report_now));
    door.add(scope, Method::get, one + "/days", look_up(list_days));
    door.add(scope, Method::get, one + "/days/{day}", look_up(show_day));
}

}  // namespace footfall::segments::routes
