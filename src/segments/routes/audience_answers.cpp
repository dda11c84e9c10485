#include "segments_routes/audience_answers.h"

#include "api/answers.h"
#include "audience/noise.h"
#include "foundation/calendar_day.h"
#include "foundation/json_string.h"
#include "http_server/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>
#include <utility>

namespace footfall::segments::routes {
namespace {

using http_server::Request;
using http_server::Response;
using Shown = AudienceNumbers::Shown;

/// Of a normal distribution: so far from the middle are 5 %, on both sides.
constexpr double within_95_percent = 1.96;

/// Of the UTC day that answers hold for.
std::string day_json(const Sources& sources) {
    const auto day = std::chrono::floor<std::chrono::days>(sources.clock->now());
    return json_string(format_day(static_cast<std::int32_t>(day.time_since_epoch().count())));
}

std::string number_json(const Shown& shown) {
    return shown ? fmt::format("{}", *shown) : "null";
}

/// One standard deviation of the noise, as a part of the number.
std::string error_json(const Sources& sources, const Shown& shown) {
    return shown ? fmt::format(
                       "{:.4f}", audience::sigma(sources.audience) / static_cast<double>(*shown)
                   )
                 : "null";
}

std::string people_json(const Sources& sources, const Shown& shown) {
    return fmt::format(
        R"("people":{},"exact":false,"error":{},"fewer_than":{},"day":{}}})",
        number_json(shown),
        error_json(sources, shown),
        shown ? "null" : fmt::format("{}", audience::least_shown(sources.audience)),
        day_json(sources)
    );
}

std::string pair_json(
    const Sources& sources, const std::string& one, const std::string& other, const Shown& shown
) {
    const double off = within_95_percent * audience::sigma(sources.audience);
    const auto people = static_cast<double>(shown.value_or(0));
    return fmt::format(
        R"({{"segments":[{},{}],"count":{},"exact":false,"error":{},"low":{},"high":{}}})",
        json_string(one),
        json_string(other),
        number_json(shown),
        error_json(sources, shown),
        shown ? fmt::format("{}", std::llround(std::max(0.0, people - off))) : "null",
        shown ? fmt::format("{}", std::llround(people + off)) : "null"
    );
}

/// What is shown, or the answer that refuses.
api::Asked<std::vector<Shown>> ask(
    const Sources& sources, const Request& request, std::span<const Expression> questions
) {
    api::Asked<std::string> key = sources.keeper.author(request);
    if (!key) {
        return std::unexpected(std::move(key).error());
    }
    Result<std::vector<Shown>> shown = sources.people->for_audience(*key, questions);
    if (shown) {
        return *std::move(shown);
    }
    if (shown.error().kind != ErrorKind::overloaded) {
        return std::unexpected(answer_failure(shown.error()));
    }
    Response refused = http_server::problem(429, "numbers-spent", shown.error().message, "");
    const auto now = sources.clock->now();
    const auto left = std::chrono::ceil<std::chrono::days>(now) - now;
    refused.headers.emplace_back(
        "Retry-After", fmt::format("{}", std::chrono::ceil<std::chrono::seconds>(left).count())
    );
    return std::unexpected(std::move(refused));
}

}  // namespace

std::optional<Response> refuse_strangers(const api::Doorkeeper& keeper, const Request& request) {
    auto refused = keeper.refuse(request, keys::Scope::people);
    return refused && keeper.refuse(request, keys::Scope::audience) ? std::move(refused)
                                                                    : std::nullopt;
}

bool is_audience(const Sources& sources, const Request& request) {
    return sources.keeper.refuse(request, keys::Scope::people).has_value();
}

Response answer_audience_segment(
    const Sources& sources, const Request& request, const std::string& segment
) {
    const Expression question{.all = {segment}};
    const auto shown = ask(sources, request, {&question, 1});
    return shown ? api::json_answer(
                       fmt::format(R"({{"name":{},)", json_string(segment)) +
                       people_json(sources, shown->front())
                   )
                 : shown.error();
}

Response answer_audience_count(
    const Sources& sources, const Request& request, const Expression& expression
) {
    const auto shown = ask(sources, request, {&expression, 1});
    return shown ? api::json_answer("{" + people_json(sources, shown->front())) : shown.error();
}

Response answer_audience_overlap(
    const Sources& sources, const Request& request, const std::vector<std::string>& segments
) {
    std::vector<Expression> questions;
    for (const std::string& each : segments) {
        questions.push_back({.all = {each}});
    }
    for (std::size_t one = 0; one < segments.size(); ++one) {
        for (std::size_t other = one + 1; other < segments.size(); ++other) {
            questions.push_back({.all = {segments[one], segments[other]}});
        }
    }
    const auto shown = ask(sources, request, questions);
    if (!shown) {
        return shown.error();
    }
    std::string json = R"({"sizes":{)";
    auto next = shown->begin();
    for (const std::string& each : segments) {
        json += json.ends_with('{') ? "" : ",";
        json += fmt::format("{}:{}", json_string(each), number_json(*next++));
    }
    json += R"(},"overlap":[)";
    for (std::size_t one = 0; one < segments.size(); ++one) {
        for (std::size_t other = one + 1; other < segments.size(); ++other) {
            json += json.ends_with('[') ? "" : ",";
            json += pair_json(sources, segments[one], segments[other], *next++);
        }
    }
    return api::json_answer(json + fmt::format(R"(],"day":{}}})", day_json(sources)));
}

}  // namespace footfall::segments::routes
