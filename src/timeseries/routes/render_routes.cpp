#include "timeseries_routes/render_routes.h"

#include "api/answers.h"
#include "api/parameters.h"
#include "graphite/drawn.h"
#include "graphite/expression.h"
#include "graphite/functions.h"
#include "series/glob.h"
#include "series/name.h"
#include "series/tag_query.h"
#include "timeseries_routes/render_time.h"
#include "timeseries_routes/rendered.h"
#include "timeseries_routes/rendered_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

using http_server::Request;
using http_server::Response;

constexpr std::size_t targets_max = 100;
constexpr std::size_t render_series_max = 1000;
constexpr std::size_t tag_queries_max = 32;
/// Of an answer. In CSV each value has the name of its line before it.
constexpr std::size_t answer_bytes_max = 64 << 20;
constexpr std::size_t value_bytes_max = 48;
/// Values of all series of an answer, before neighbours are put together.
constexpr std::int64_t values_max = 1'000'000;
constexpr std::int64_t values_asked_max = 1'000'000;

/// What is to be drawn.
struct AboutRender {
    std::vector<std::string> targets;
    std::int64_t from = 0;  ///< Seconds since 1970.
    std::int64_t until = 0;
    std::int64_t values = 0;  ///< At most so many a line.
    std::string format;
};

api::Asked<std::int64_t> time_parameter(
    const Request& request, std::string_view name, std::string otherwise, std::int64_t now
) {
    const auto text = api::text_parameter(request, name, std::move(otherwise));
    if (!text) {
        return std::unexpected(text.error());
    }
    const auto time = parse_render_time(*text, now);
    if (!time) {
        return std::unexpected(api::invalid_input(
            fmt::format(
                "{} is seconds since 1970, now, -1h, -7d, today, 20261130 or 14:30_20261130", name
            ),
            name
        ));
    }
    return *time;
}

std::int64_t seconds_of(Instant now) {
    return std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
}

api::Asked<AboutRender> read_render(const GraphiteSources& sources, const Request& request) {
    if (auto refusal = api::refuse_unknown_parameter(
            request,
            {"target", "from", "until", "format", "maxDataPoints", "cacheTimeout", "noCache"}
        )) {
        return std::unexpected(*std::move(refusal));
    }
    auto format = format_parameter(request, {"json", "csv", "raw"});
    if (!format) {
        return std::unexpected(std::move(format).error());
    }
    auto targets = all_of_parameter(request, "target", targets_max);
    if (!targets) {
        return std::unexpected(std::move(targets).error());
    }
    if (targets->empty()) {
        return std::unexpected(
            api::invalid_input("name a series or a pattern of series as a target", "target")
        );
    }
    const std::int64_t now = seconds_of(sources.clock->now());
    const auto from = time_parameter(request, "from", "-1d", now);
    if (!from) {
        return std::unexpected(from.error());
    }
    const auto until = time_parameter(request, "until", "now", now);
    if (!until) {
        return std::unexpected(until.error());
    }
    if (*until <= *from) {
        return std::unexpected(api::invalid_input("from is not before until", "from"));
    }
    const auto values =
        api::number_parameter(request, "maxDataPoints", values_asked_max, 1, values_asked_max);
    if (!values) {
        return std::unexpected(values.error());
    }
    if (steps_between(*from, *until, sources.step.count()).count > values_max) {
        return std::unexpected(api::invalid_input(
            fmt::format(
                "that is more than {} values of a series: ask for a shorter time", values_max
            ),
            "from"
        ));
    }
    return AboutRender{
        .targets = *std::move(targets),
        .from = *from,
        .until = *until,
        .values = static_cast<std::int64_t>(*values),
        .format = *std::move(format)
    };
}

/// The names that a pattern stands for, in order.
Result<std::vector<std::string>> names_of(const TimeSeries& series, std::string_view text) {
    if (text.contains(';')) {
        TRY(std::string name, series::parse_name(text));
        return std::vector{std::move(name)};
    }
    TRY(const series::Glob pattern, series::Glob::parse(text));
    if (pattern.is_name()) {
        // Also if it is not known: another process may have it.
        return std::vector{std::string{text}};
    }
    TRY(const std::vector<Node> nodes, series.find(pattern, names_max));
    std::vector<std::string> names;
    for (const Node& node : nodes) {
        if (node.leaf) {
            names.push_back(node.name);
        }
    }
    return names;
}

/// Reads what the targets of one question name, of whatever time: no more than is allowed in all.
class Reading {
public:
    Reading(const GraphiteSources& sources, std::stop_token left)
        : sources_{sources}, left_{std::move(left)} {}

    Result<graphite::Lines> read(std::string_view pattern, std::int64_t from, std::int64_t until) {
        TRY(const std::vector<std::string> names, names_of(*sources_.series, pattern));
        return read_all(names, pattern, from, until);
    }

    /// Of the series whose tags meet these conditions.
    Result<graphite::Lines> read_tagged(
        const std::vector<std::string>& conditions, std::int64_t from, std::int64_t until
    ) {
        TRY(const std::vector<std::string>* const names, tagged(conditions));
        return read_all(*names, "", from, until);
    }

private:
    /// Each is a look at all names with tags, so those of one question are looked for once.
    Result<const std::vector<std::string>*> tagged(const std::vector<std::string>& conditions) {
        if (const auto found = tagged_.find(conditions); found != tagged_.end()) {
            return &found->second;
        }
        if (tagged_.size() == tag_queries_max) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format("that asks for tags in more than {} ways", tag_queries_max)
            );
        }
        TRY(const series::TagQuery query, series::TagQuery::parse(conditions));
        std::vector<std::string> names;
        TRY_VOID(sources_.series->each_tagged(query, left_, [&](std::string_view name) {
            names.emplace_back(name);
            return names.size() <= render_series_max;
        }));
        return &tagged_.emplace(conditions, std::move(names)).first->second;
    }

    Result<graphite::Lines> read_all(
        const std::vector<std::string>& names,
        std::string_view path,
        std::int64_t from,
        std::int64_t until
    ) {
        const std::int64_t step = sources_.step.count();
        const Steps steps = steps_between(std::max<std::int64_t>(from, 0), until, step);
        series_ += names.size();
        // Each factor is bounded first, so that the product is, too.
        const bool is_too_much =
            series_ > render_series_max || steps.count > values_max ||
            (values_ += static_cast<std::int64_t>(names.size()) * steps.count) > values_max;
        if (is_too_much) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "that is more than {} series or {} values: ask for fewer, or a shorter time",
                    render_series_max,
                    values_max
                )
            );
        }
        graphite::Lines lines;
        for (const std::string& name : names) {
            if (left_.stop_requested()) {
                return fail(ErrorKind::cancelled, "render: nobody waits");
            }
            TRY(const std::vector<series::Point> points,
                sources_.series->read(
                    name, steps.start * 1000, (steps.start + steps.count * step) * 1000
                ));
            if (!points.empty()) {
                lines.push_back(line_of(name, path, render(points, steps, step)));
            }
        }
        return lines;
    }

    static graphite::Drawn line_of(
        const std::string& name, std::string_view pattern, Rendered rendered
    ) {
        const auto count = static_cast<std::int64_t>(rendered.values.size());
        return {
            .name = name,
            .path = std::string{pattern},
            .tags = tags_of(name),
            .start = rendered.start,
            .end = rendered.start + count * rendered.step,
            .step = rendered.step,
            .values = std::move(rendered.values)
        };
    }

    const GraphiteSources& sources_;
    std::stop_token left_;
    std::size_t series_ = 0;
    std::int64_t values_ = 0;
    std::map<std::vector<std::string>, std::vector<std::string>> tagged_;
};

/// Writes lines in one of the formats, behind one another.
class Written {
public:
    /// `most`: so many values a line.
    Written(std::string format, std::int64_t most)
        : format_{std::move(format)}, values_max_{most} {}

    /// `invalid_input`: the answer would be too large.
    Result<void> add(graphite::Drawn line) {
        if (format_ == "json") {
            return add_json(std::move(line));
        }
        const std::size_t name = format_ == "csv" ? escaped_bytes_max * line.name.size() : 0;
        TRY_VOID(make_room(line.values.size(), value_bytes_max + name));
        format_ == "csv" ? append_csv(line, text_) : append_raw(line, text_);
        return {};
    }

    Response answer() && {
        if (format_ == "json") {
            return api::json_answer((text_.empty() ? "[" : std::move(text_)) + "]");
        }
        return {
            .content_type = format_ == "csv" ? csv_type : Response::text_plain,
            .body = std::move(text_),
            .headers = {{"Cache-Control", "no-store"}}
        };
    }

private:
    Result<void> add_json(graphite::Drawn line) {
        line.values.resize(graphite::shown(line));
        const Rendered rendered = consolidated(
            {.start = line.start, .step = line.step, .values = std::move(line.values)}, values_max_
        );
        TRY_VOID(make_room(rendered.values.size(), value_bytes_max));
        text_ += text_.empty() ? "[" : ",";
        append_json(line.name, line.tags, rendered, text_);
        return {};
    }

    Result<void> make_room(std::size_t values, std::size_t bytes_each) const {
        if (text_.size() + values * bytes_each > answer_bytes_max) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "that answer would have more than {} MiB: ask for less at once",
                    answer_bytes_max >> 20
                )
            );
        }
        return {};
    }

    static constexpr std::size_t escaped_bytes_max = 2;  ///< Of a letter.
    static constexpr std::string_view csv_type = "text/csv; charset=utf-8";

    const std::string format_;
    const std::int64_t values_max_;
    std::string text_;
};

Response render_now(
    const GraphiteSources& sources, const Request& request, const std::stop_token& left
) {
    auto asked = read_render(sources, request);
    if (!asked) {
        return std::move(asked).error();
    }
    Reading reading{sources, left};
    const graphite::Question question{
        .from = asked->from,
        .until = asked->until,
        .fetch = [&](std::string_view pattern, std::int64_t from, std::int64_t until
                 ) { return reading.read(pattern, from, until); },
        .fetch_tagged =
            [&](const std::vector<std::string>& conditions, std::int64_t from, std::int64_t until) {
                return reading.read_tagged(conditions, from, until);
            },
        .left = left
    };
    Written written{std::move(asked->format), asked->values};
    for (const std::string& target : asked->targets) {
        const auto expression = graphite::parse_target(target);
        if (!expression) {
            return api::answer_error(expression.error(), "target");
        }
        auto lines = graphite::evaluate(*expression, question);
        if (!lines) {
            return api::answer_error(lines.error(), "target");
        }
        for (graphite::Drawn& line : *lines) {
            if (const auto added = written.add(std::move(line)); !added) {
                return api::answer_error(added.error(), "target");
            }
        }
    }
    return std::move(written).answer();
}

}  // namespace

void add_render_routes(api::FrontDoor& door, const GraphiteSources& sources) {
    const auto render = answering(sources.surveys, sources, render_now);
    door.add(keys::Scope::read, http_server::Method::get, "/render", render);
    door.add(keys::Scope::read, http_server::Method::post, "/render", render, form_limit);
}

}  // namespace footfall::timeseries::routes
