#include "timeseries_routes/render_routes.h"

#include "api/answers.h"
#include "api/parameters.h"
#include "graphite/aggregation.h"
#include "graphite/drawn.h"
#include "graphite/expression.h"
#include "graphite/functions.h"
#include "timeseries_routes/render_reading.h"
#include "timeseries_routes/render_time.h"
#include "timeseries_routes/rendered.h"
#include "timeseries_routes/rendered_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
/// Of an answer. In CSV each value has the name of its line before it.
constexpr std::size_t answer_bytes_max = 64 << 20;
constexpr std::size_t value_bytes_max = 48;
constexpr std::int64_t values_asked_max = 1'000'000;
/// No resolution is coarser, in seconds.
constexpr std::int64_t step_longest = 86'400;

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
    if (steps_between(*from, *until, step_longest).count > render_values_max) {
        return std::unexpected(api::invalid_input(
            fmt::format(
                "that is more than {} values of a series: ask for a shorter time", render_values_max
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

/// Writes lines in one of the formats, behind one another.
class Written {
public:
    /// `most`: so many values a line.
    Written(std::string format, std::int64_t most)
        : format_{std::move(format)}, values_max_{most} {}

    /// Makes room for what most lines take.
    void expect(const graphite::Lines& lines) {
        constexpr std::size_t line_bytes = 200;
        constexpr std::size_t value_bytes = 24;
        std::size_t bytes = text_.size();
        for (const graphite::Drawn& line : lines) {
            const auto values = std::min(std::ssize(line.values), values_max_);
            bytes += line_bytes + static_cast<std::size_t>(values) * value_bytes;
        }
        text_.reserve(std::min(bytes, answer_bytes_max));
    }

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
        TRY(const graphite::Aggregation aggregation,
            graphite::aggregation_named(line.consolidation));
        const Rendered rendered = consolidated(
            {.start = line.start, .step = line.step, .values = std::move(line.values)},
            values_max_,
            aggregation
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
    const bool is_consolidated = asked->format == "json";
    RenderReading reading{sources, is_consolidated ? asked->values : values_asked_max, left};
    const graphite::Question question{
        .from = asked->from,
        .until = asked->until,
        .fetch = [&](std::string_view pattern,
                     const graphite::Asked& wanted) { return reading.read(pattern, wanted); },
        .fetch_tagged = [&](const std::vector<std::string>& conditions,
                            const graphite::Asked& wanted
                        ) { return reading.read_tagged(conditions, wanted); },
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
        written.expect(*lines);
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
