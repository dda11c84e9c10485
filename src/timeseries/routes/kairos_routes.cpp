#include "timeseries_routes/kairos_routes.h"

#include "api/on_pool.h"
#include "api/parameters.h"
#include "kairos/evaluate.h"
#include "kairos/query.h"
#include "timeseries_routes/kairos_answers.h"
#include "timeseries_routes/kairos_names.h"
#include "timeseries_routes/kairos_points.h"
#include "timeseries_routes/kairos_reading.h"

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

using http_server::Exchange;
using http_server::Method;
using http_server::Request;
using http_server::Response;

std::int64_t now_of(const Clock& clock) {
    return std::chrono::floor<std::chrono::milliseconds>(clock.now().time_since_epoch()).count();
}

/// One metric's part of the answer, behind what is there.
using AnswerMetric = std::function<
    Result<void>(const kairos::MetricQuery&, const kairos::Query&, std::string& json)>;

/// The answer to a query by what each of its metrics comes to.
Result<std::string> answer_each(const kairos::Query& query, const AnswerMetric& answer) {
    std::string json = R"({"queries":[)";
    for (const kairos::MetricQuery& metric : query.metrics) {
        json += json.back() == '[' ? "" : ",";
        TRY_VOID(answer(metric, query, json));
    }
    return json + "]}";
}

Result<std::string> query_now(
    const KairosSources& sources, std::string_view json, const std::stop_token& left
) {
    const std::int64_t now = now_of(*sources.clock);
    TRY(const kairos::Query query, kairos::parse_query(json, now));
    KairosReading reading{*sources.series, now, left};
    return answer_each(
        query,
        [&](const kairos::MetricQuery& metric, const kairos::Query& asked, std::string& into
        ) -> Result<void> {
            TRY(KairosRead read, reading.read(metric, asked));
            TRY(const kairos::Answer answer,
                kairos::evaluate(read.metric, asked.from, asked.zone, std::move(read.series), left)
            );
            kairos::append_json(metric, answer, into);
            return {};
        }
    );
}

/// The tags of the series that a query is about, whenever they have points.
Result<std::string> query_tags_now(
    const KairosSources& sources, std::string_view json, const std::stop_token& left
) {
    TRY(const kairos::Query query, kairos::parse_query(json, now_of(*sources.clock)));
    return answer_each(
        query,
        [&](const kairos::MetricQuery& metric, const kairos::Query&, std::string& into
        ) -> Result<void> {
            TRY(const std::vector<KairosSeries> all,
                series_of(*sources.series, metric, kairos_names_max, left));
            kairos::TagValues tags;
            for (const KairosSeries& each : all) {
                kairos::add_tags(each.tags, tags);
            }
            kairos::append_tags_json(metric, tags, into);
            return {};
        }
    );
}

Response answer_of(const Result<std::string>& json) {
    return json ? api::json_answer(*json) : kairos_error(json.error());
}

using AnswerQuery =
    Result<std::string> (*)(const KairosSources&, std::string_view, const std::stop_token&);

/// By POST the query is the body, by GET a parameter.
Response answer_query_now(
    const KairosSources& sources,
    const Request& request,
    AnswerQuery answer,
    const std::stop_token& left
) {
    if (request.method == Method::post) {
        if (auto refusal = api::refuse_unknown_parameter(request, {})) {
            return *std::move(refusal);
        }
        return answer_of(answer(sources, request.body, left));
    }
    if (auto refusal = api::refuse_unknown_parameter(request, {"query"})) {
        return *std::move(refusal);
    }
    const auto query = api::text_parameter(request, "query", "");
    return query ? answer_of(answer(sources, *query, left)) : query.error();
}

runtime::Task<> answer_query(KairosSources sources, AnswerQuery answer, Exchange* exchange) {
    const std::stop_token left = exchange->client_left();
    auto work = [&] { return answer_query_now(sources, exchange->request(), answer, left); };
    exchange->response() = co_await api::on_pool(sources.surveys, std::move(work), left);
}

enum class Kind { metrics, tags, values };

Result<Names> names_now(
    const TimeSeries& series, Kind kind, std::string_view prefix, const std::stop_token& left
) {
    return kind == Kind::metrics
               ? metric_names(series, prefix, left)
               : tag_parts(series, kind == Kind::tags ? TagPart::name : TagPart::value, left);
}

Response answer_names_now(
    const KairosSources& sources, const Request& request, Kind kind, const std::stop_token& left
) {
    auto refusal = kind == Kind::metrics ? api::refuse_unknown_parameter(request, {"prefix"})
                                         : api::refuse_unknown_parameter(request, {});
    if (refusal) {
        return *std::move(refusal);
    }
    const auto prefix = api::text_parameter(request, "prefix", "");
    if (!prefix) {
        return prefix.error();
    }
    const Result<Names> names = names_now(*sources.series, kind, *prefix, left);
    if (!names) {
        return kairos_error(names.error());
    }
    std::string json = R"({"results":[)";
    for (const std::string& name : *names) {
        json += json.back() == '[' ? "" : ",";
        append_json_string(json, name);
    }
    return api::json_answer(json + "]}");
}

runtime::Task<> answer_names(KairosSources sources, Kind kind, Exchange* exchange) {
    const std::stop_token left = exchange->client_left();
    auto work = [&] { return answer_names_now(sources, exchange->request(), kind, left); };
    exchange->response() = co_await api::on_pool(sources.surveys, std::move(work), left);
}

enum class Health { status, check };

/// By whether the store answers a question for points.
Response answer_health_now(const KairosSources& sources, const Request& request, Health asked) {
    if (auto refusal = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refusal);
    }
    const std::int64_t now = now_of(*sources.clock);
    const auto points = sources.series->read("footfall.health", now - 1, now);
    if (asked == Health::status) {
        return api::json_answer(
            points ? R"(["Datastore-Query: OK"])" : R"(["Datastore-Query: FAIL"])"
        );
    }
    return points ? Response{.status = 204} : api::answer_error(points.error());
}

runtime::Task<> answer_health(KairosSources sources, Health asked, Exchange* exchange) {
    auto work = [&] { return answer_health_now(sources, exchange->request(), asked); };
    exchange->response() = co_await api::on_pool(sources.lookups, std::move(work));
}

/// The one whose interface this is.
constexpr const char* version_json = "{\"version\":\"KairosDB 1.3.0 (Footfall)\"}";

void answer_version(Exchange& exchange) {
    auto refusal = api::refuse_unknown_parameter(exchange.request(), {});
    exchange.response() = refusal ? *std::move(refusal) : api::json_answer(version_json);
}

void add_queries(api::FrontDoor& door, const KairosSources& sources) {
    struct Question {
        std::string_view path;
        AnswerQuery answer;
    };

    for (const Question& each :
         {Question{"/api/v1/datapoints/query", query_now},
          Question{"/api/v1/datapoints/query/tags", query_tags_now}}) {
        for (const Method method : {Method::get, Method::post}) {
            door.add(
                keys::Scope::read,
                method,
                each.path,
                [sources, answer = each.answer](Exchange& exchange) {
                    return std::optional{answer_query(sources, answer, &exchange)};
                },
                method == Method::post ? http_server::BodyLimit{.bytes = kairos::query_bytes_max}
                                       : api::no_body
            );
        }
    }
}

void add_names(api::FrontDoor& door, const KairosSources& sources) {
    const auto add = [&](std::string_view path, Kind kind) {
        door.add(keys::Scope::read, Method::get, path, [sources, kind](Exchange& exchange) {
            return std::optional{answer_names(sources, kind, &exchange)};
        });
    };
    add("/api/v1/metricnames", Kind::metrics);
    add("/api/v1/tagnames", Kind::tags);
    add("/api/v1/tagvalues", Kind::values);
}

}  // namespace

void add_kairos_routes(api::FrontDoor& door, const KairosSources& sources) {
    door.add(
        keys::Scope::write,
        Method::post,
        "/api/v1/datapoints",
        [intake = sources.intake](Exchange& exchange) {
            return std::optional{intake->take_kairos(&exchange)};
        },
        {.bytes = kairos_bytes_max}
    );
    add_queries(door, sources);
    add_names(door, sources);
    const auto add_health = [&](std::string_view path, Health asked) {
        door.add(keys::Scope::read, Method::get, path, [sources, asked](Exchange& exchange) {
            return std::optional{answer_health(sources, asked, &exchange)};
        });
    };
    add_health("/api/v1/health/status", Health::status);
    add_health("/api/v1/health/check", Health::check);
    door.add(
        keys::Scope::read,
        Method::get,
        "/api/v1/version",
        [](Exchange& exchange) -> std::optional<runtime::Task<>> {
            answer_version(exchange);
            return std::nullopt;
        }
    );
}

}  // namespace footfall::timeseries::routes
