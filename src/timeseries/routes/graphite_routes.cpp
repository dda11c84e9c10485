#include "timeseries_routes/graphite_routes.h"

#include "api/answers.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "foundation/json_string.h"
#include "foundation/utf8.h"
#include "graphite/drawn.h"
#include "graphite/expression.h"
#include "graphite/functions.h"
#include "series/glob.h"
#include "series/name.h"
#include "timeseries_routes/render_time.h"
#include "timeseries_routes/rendered.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

using http_server::Exchange;
using http_server::Request;
using http_server::Response;

constexpr std::size_t targets_max = 100;
constexpr std::size_t render_series_max = 1000;
constexpr std::size_t nodes_max = 10'000;
/// Values of all series of an answer, before neighbours are put together.
constexpr std::int64_t values_max = 1'000'000;
constexpr std::int64_t values_asked_max = 1'000'000;

/// What is to be drawn.
struct AboutRender {
    std::vector<std::string> targets;
    std::int64_t from = 0;  ///< Seconds since 1970.
    std::int64_t until = 0;
    std::int64_t values = 0;  ///< At most so many a line.
};

/// Every ?target=, decoded.
api::Asked<std::vector<std::string>> targets_of(const Request& request) {
    std::vector<std::string> targets;
    std::string_view query = request.query;
    while (!query.empty()) {
        const std::string_view pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(pair.size() + 1, query.size()));
        std::string_view value;
        if (!http_server::query_value(pair, "target", value)) {
            continue;
        }
        std::string target;
        if (!http_server::percent_decode(value, target) || !is_utf8(target)) {
            return std::unexpected(
                api::invalid_input("target is not percent-encoded UTF-8", "target")
            );
        }
        targets.push_back(std::move(target));
    }
    if (targets.empty() || targets.size() > targets_max) {
        return std::unexpected(api::invalid_input(
            fmt::format("name 1 to {} series or patterns, each as a target", targets_max), "target"
        ));
    }
    return targets;
}

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

/// The one format that an answer has.
std::optional<Response> refuse_format(const Request& request, std::string_view format) {
    const auto asked = api::text_parameter(request, "format", std::string{format});
    if (!asked) {
        return asked.error();
    }
    if (*asked != format) {
        return api::invalid_input(fmt::format("the one format is {}", format), "format");
    }
    return std::nullopt;
}

api::Asked<AboutRender> read_render(const GraphiteSources& sources, const Request& request) {
    if (auto refusal = api::refuse_unknown_parameter(
            request, {"target", "from", "until", "format", "maxDataPoints"}
        )) {
        return std::unexpected(*std::move(refusal));
    }
    if (auto refusal = refuse_format(request, "json")) {
        return std::unexpected(*std::move(refusal));
    }
    auto targets = targets_of(request);
    if (!targets) {
        return std::unexpected(std::move(targets).error());
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
        .values = static_cast<std::int64_t>(*values)
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
    TRY(const std::vector<Node> nodes, series.find(pattern, nodes_max));
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
        const std::int64_t step = sources_.step.count();
        const Steps steps = steps_between(std::max<std::int64_t>(from, 0), until, step);
        TRY(const std::vector<std::string> names, names_of(*sources_.series, pattern));
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
                lines.push_back(line_of(name, pattern, render(points, steps, step)));
            }
        }
        return lines;
    }

private:
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
};

Response render_now(
    const GraphiteSources& sources, const AboutRender& asked, const std::stop_token& left
) {
    Reading reading{sources, left};
    const graphite::Question question{
        .from = asked.from,
        .until = asked.until,
        .fetch = [&](std::string_view pattern, std::int64_t from, std::int64_t until
                 ) { return reading.read(pattern, from, until); },
        .left = left
    };
    std::string json = "[";
    for (const std::string& target : asked.targets) {
        const auto expression = graphite::parse_target(target);
        if (!expression) {
            return api::answer_error(expression.error(), "target");
        }
        auto lines = graphite::evaluate(*expression, question);
        if (!lines) {
            return api::answer_error(lines.error(), "target");
        }
        for (graphite::Drawn& line : *lines) {
            line.values.resize(graphite::shown(line));
            Rendered rendered{
                .start = line.start, .step = line.step, .values = std::move(line.values)
            };
            json += json.size() == 1 ? "" : ",";
            append_json(
                line.name, line.tags, consolidated(std::move(rendered), asked.values), json
            );
        }
    }
    return api::json_answer(json + "]");
}

runtime::Task<> answer_render(GraphiteSources sources, Exchange* exchange) {
    const api::Asked<AboutRender> asked = read_render(sources, exchange->request());
    if (!asked) {
        exchange->response() = asked.error();
        co_return;
    }
    const std::stop_token left = exchange->client_left();
    auto work = [&] { return render_now(sources, *asked, left); };
    exchange->response() = co_await api::on_pool(sources.surveys, std::move(work), left);
}

/// What a tree shows of a node, once as a series and once as what is above others.
std::string nodes_json(const std::vector<Node>& nodes) {
    std::string json = "[";
    for (const Node& node : nodes) {
        const std::string text =
            json_string(std::string_view{node.name}.substr(node.name.rfind('.') + 1));
        for (const bool leaf : {false, true}) {
            if (leaf ? node.leaf : node.branch) {
                json += fmt::format(
                    R"({}{{"text":{},"id":{},"leaf":{},"expandable":{},"allowChildren":{},"context":{{}}}})",
                    json.size() == 1 ? "" : ",",
                    text,
                    json_string(node.name),
                    leaf ? 1 : 0,
                    leaf ? 0 : 1,
                    leaf ? 0 : 1
                );
            }
        }
    }
    return json + "]";
}

Response find_now(const GraphiteSources& sources, const Request& request) {
    if (auto refusal =
            api::refuse_unknown_parameter(request, {"query", "format", "from", "until"})) {
        return *std::move(refusal);
    }
    if (auto refusal = refuse_format(request, "treejson")) {
        return *std::move(refusal);
    }
    const auto query = api::text_parameter(request, "query", "");
    if (!query) {
        return query.error();
    }
    const auto pattern = series::Glob::parse(*query);
    if (!pattern) {
        return api::answer_error(pattern.error(), "query");
    }
    const auto nodes = sources.series->find(*pattern, nodes_max);
    return nodes ? api::json_answer(nodes_json(*nodes)) : api::answer_error(nodes.error(), "query");
}

runtime::Task<> answer_find(GraphiteSources sources, Exchange* exchange) {
    auto work = [&] { return find_now(sources, exchange->request()); };
    exchange->response() = co_await api::on_pool(sources.lookups, std::move(work));
}

}  // namespace

void add_graphite_routes(api::FrontDoor& door, const GraphiteSources& sources) {
    door.add(keys::Scope::read, http_server::Method::get, "/render", [sources](Exchange& exchange) {
        return std::optional{answer_render(sources, &exchange)};
    });
    door.add(
        keys::Scope::read,
        http_server::Method::get,
        "/metrics/find",
        [sources](Exchange& exchange) { return std::optional{answer_find(sources, &exchange)}; }
    );
}

}  // namespace footfall::timeseries::routes
