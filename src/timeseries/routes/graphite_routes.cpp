#include "timeseries_routes/graphite_routes.h"

#include "api/answers.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "foundation/json_string.h"
#include "foundation/utf8.h"
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
    Steps steps;
    std::int64_t values = 0;  ///< At most so many a series.
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
    const Steps steps = steps_between(*from, *until, sources.step.count());
    if (steps.count > values_max) {
        return std::unexpected(api::invalid_input(
            fmt::format(
                "that is more than {} values of a series: ask for a shorter time", values_max
            ),
            "from"
        ));
    }
    return AboutRender{
        .targets = *std::move(targets), .steps = steps, .values = static_cast<std::int64_t>(*values)
    };
}

/// The names that a target stands for, in order.
api::Asked<std::vector<std::string>> names_of(const TimeSeries& series, std::string_view target) {
    if (const std::size_t call = target.find('('); call != std::string_view::npos) {
        return std::unexpected(api::invalid_input(
            fmt::format(
                "{} is a function, and there are none yet: name series, or patterns of them",
                target.substr(0, std::min<std::size_t>(call, 100))
            ),
            "target"
        ));
    }
    if (target.contains(';')) {
        auto name = series::parse_name(target);
        if (!name) {
            return std::unexpected(api::answer_error(name.error(), "target"));
        }
        return std::vector{*std::move(name)};
    }
    const auto pattern = series::Glob::parse(target);
    if (!pattern) {
        return std::unexpected(api::answer_error(pattern.error(), "target"));
    }
    if (pattern->is_name()) {
        // Also if it is not known: another process may have it.
        return std::vector{std::string{target}};
    }
    const auto nodes = series.find(*pattern, nodes_max);
    if (!nodes) {
        return std::unexpected(api::answer_error(nodes.error(), "target"));
    }
    std::vector<std::string> names;
    for (const Node& node : *nodes) {
        if (node.leaf) {
            names.push_back(node.name);
        }
    }
    return names;
}

Response render_now(
    const GraphiteSources& sources, const AboutRender& asked, const std::stop_token& left
) {
    std::vector<std::string> names;
    for (const std::string& target : asked.targets) {
        auto some = names_of(*sources.series, target);
        if (!some) {
            return std::move(some).error();
        }
        names.insert(names.end(), some->begin(), some->end());
        const auto values = static_cast<std::int64_t>(names.size()) * asked.steps.count;
        if (names.size() > render_series_max || values > values_max) {
            return api::invalid_input(
                fmt::format(
                    "that is more than {} series or {} values: ask for fewer, or a shorter time",
                    render_series_max,
                    values_max
                ),
                "target"
            );
        }
    }
    const std::int64_t step = sources.step.count();
    const std::int64_t from = asked.steps.start * 1000;
    const std::int64_t until = from + asked.steps.count * step * 1000;
    std::string json = "[";
    for (const std::string& name : names) {
        if (left.stop_requested()) {
            return api::answer_error(
                {.kind = ErrorKind::cancelled, .message = "render: nobody waits"}
            );
        }
        const auto points = sources.series->read(name, from, until);
        if (!points) {
            return api::answer_error(points.error(), "from");
        }
        if (points->empty()) {
            continue;
        }
        json += json.size() == 1 ? "" : ",";
        append_json(name, consolidated(render(*points, asked.steps, step), asked.values), json);
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
