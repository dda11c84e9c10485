#include "views_routes/trend_routes.h"

#include "api/answers.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "events/canonical_url.h"
#include "events/event_keys.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"
#include "http_server/problem.h"
#include "rankings/score.h"
#include "views/day.h"
#include "views_routes/view_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace footfall::views::routes {
namespace {

using api::answer_error;
using http_server::Exchange;
using http_server::Request;
using http_server::Response;

constexpr std::size_t trending_default = 10;
constexpr std::size_t trending_max = 100;
constexpr std::size_t per_site_max = 100;

constexpr std::string_view trending_formula =
    "score = (fast - expected) / sqrt(expected + 1); expected = slow * fast_total / slow_total; "
    "fast, slow = sums over new people of 2^(-age / half-life)";
constexpr std::string_view hot_formula = "events of late, halved every halved_every seconds";

/// A URL's host; another object is a site of its own.
std::string site_of(std::string_view object) {
    const std::string_view host = events::site_of(events::article_named(object));
    return std::string{host.empty() ? object : host};
}

/// How many people each had today and yesterday.
Result<std::vector<std::uint64_t>> people_of(
    const TrendSources& sources,
    std::string_view action,
    std::span<const std::string_view> objects,
    Instant now,
    const std::stop_token& left
) {
    std::vector<LaneObject> asked;
    asked.reserve(objects.size());
    for (const std::string_view object : objects) {
        asked.push_back({.object = object, .lane = events::lane_of(object, sources.secret)});
    }
    const Day today = day_of(now);
    TRY(const std::vector<Report> reports,
        sources.views->reports(
            asked,
            {.action = action, .object = {}, .range = DayRange{.from = today - 1, .to = today}},
            left
        ));
    std::vector<std::uint64_t> people;
    people.reserve(reports.size());
    for (const Report& each : reports) {
        people.push_back(each.people);
    }
    return people;
}

double seconds(std::chrono::microseconds time) {
    return std::chrono::duration<double>{time}.count();
}

std::string trending_json(
    const rankings::TrendList& list,
    const rankings::TrendsOfAll& all,
    const rankings::TrendSettings& settings,
    Instant now
) {
    std::string json = R"({"objects":[)";
    for (const rankings::Trending& each : list.objects) {
        json += fmt::format(
            R"({}{{"object":{},"score":{:.6g},"fast":{:.6g},"slow":{:.6g},"expected":{:.6g},"readers":{}}})",
            json.ends_with('[') ? "" : ",",
            json_string(each.object),
            each.score,
            each.fast,
            each.slow,
            each.expected,
            each.people
        );
    }
    json += fmt::format(
        R"(],"at":"{}","complete":{},{},"formula":{{"text":{},)",
        events::format_rfc3339(now),
        list.complete,
        standing_json({.provisional = all.provisional, .stored = all.stored}, now),
        json_string(trending_formula)
    );
    return json +
           fmt::format(
               R"("fast_half_life":{},"slow_half_life":{},"floor":{},"least_people":{},)"
               R"("least_score":{},"per_site":{},"fast_total":{:.6g},"slow_total":{:.6g}}}}})"
               "\n",
               seconds(settings.fast_half_life),
               seconds(settings.slow_half_life),
               settings.least_fast,
               settings.least_people,
               settings.least_score,
               settings.per_site,
               all.totals.fast,
               all.totals.slow
           );
}

Response trending_now(
    const TrendSources& sources, const Request& request, const std::stop_token& left
) {
    if (auto refusal = api::refuse_unknown_parameter(request, {"action", "limit", "per_site"})) {
        return *std::move(refusal);
    }
    rankings::TrendSettings settings = sources.trends->settings();
    const auto action = api::action_parameter(request);
    const auto limit = api::number_parameter(request, "limit", trending_default, 1, trending_max);
    const auto per_site = api::number_parameter(
        request, "per_site", std::min(settings.per_site, per_site_max), 0, per_site_max
    );
    if (!action) {
        return action.error();
    }
    if (!limit || !per_site) {
        return limit ? per_site.error() : limit.error();
    }
    settings.per_site = *per_site;
    const Instant now = sources.clock->now();
    const Result<rankings::TrendsOfAll> all = sources.trends->trends(*action, now);
    if (!all) {
        return answer_error(all.error());
    }
    const auto people = [&](std::span<const std::string_view> objects) {
        return people_of(sources, *action, objects, now, left);
    };
    const Result<rankings::TrendList> list = rankings::trending(
        all->candidates, all->totals, settings, *limit, {.people = people, .site = site_of}
    );
    if (!list) {
        return answer_error(list.error());
    }
    return {.content_type = "application/json", .body = trending_json(*list, *all, settings, now)};
}

Response hot_now(const TrendSources& sources, const Request& request) {
    if (auto refusal = api::refuse_unknown_parameter(request, {"limit"})) {
        return *std::move(refusal);
    }
    const auto limit = api::number_parameter(request, "limit", trending_default, 1, trending_max);
    if (!limit) {
        return limit.error();
    }
    const Instant now = sources.clock->now();
    const rankings::HotOfAll hot = sources.trends->hot(now, *limit);
    std::string json = R"({"objects":[)";
    for (const rankings::HotObject& each : hot.objects) {
        json += fmt::format(
            R"({}{{"object":{},"events":{}}})",
            json.ends_with('[') ? "" : ",",
            json_string(each.object),
            each.events
        );
    }
    json += fmt::format(
        R"(],"at":"{}","provisional":{},"formula":{{"text":"{}","halved_every":{}}}}})"
        "\n",
        events::format_rfc3339(now),
        hot.provisional,
        hot_formula,
        rankings::HotObjects::halved_every.count()
    );
    return {.content_type = "application/json", .body = std::move(json)};
}

/// Each lane's owner is asked, and rows are read: not on an io thread.
template <class Answer>
runtime::Task<> answer(TrendSources sources, Answer now, Exchange* exchange) {
    const std::stop_token left = exchange->client_left();
    auto work = [&] { return now(sources, exchange->request(), left); };
    exchange->response() = co_await api::on_pool(sources.surveys, std::move(work), left);
}

}  // namespace

void add_trend_routes(api::FrontDoor& door, const TrendSources& sources) {
    const auto add = [&](std::string_view path, auto now) {
        door.add(
            keys::Scope::read,
            http_server::Method::get,
            path,
            [sources, now](Exchange& exchange) {
                return std::optional{answer(sources, now, &exchange)};
            }
        );
    };
    add("/api/v1/trending", &trending_now);
    add("/api/v1/hot",
        [](const TrendSources& asked, const Request& request, const std::stop_token&) {
            return hot_now(asked, request);
        });
}

}  // namespace footfall::views::routes
