#include "views_routes/view_routes.h"

#include "api/answers.h"
#include "api/front_door.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "api/range_parameters.h"
#include "by_profile/report_json.h"
#include "events/canonical_url.h"
#include "events/event_keys.h"
#include "events/read_by.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"
#include "foundation/time_zone.h"
#include "http_server/problem.h"
#include "rankings/windows.h"
#include "views_routes/kept_rankings.h"
#include "views_routes/view_answers.h"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace footfall::views::routes {
namespace {

using api::answer_error;
using api::Asked;
using http_server::Exchange;
using http_server::Request;
using http_server::Response;

/// Whether ?group_by= asks for hours; days are told in any case.
Asked<bool> by_hour_parameter(const Request& request) {
    const Asked<std::string> group_by = api::text_parameter(request, "group_by", "day");
    if (!group_by || (*group_by != "day" && *group_by != "hour")) {
        return std::unexpected(
            http_server::problem(400, "invalid-input", "group_by must be day or hour", "group_by")
        );
    }
    return *group_by == "hour";
}

/// `of_one`: the path names an object.
Asked<AboutViews> read_asked(const Request& request, bool of_one, Instant now) {
    auto refusal =
        of_one ? api::refuse_unknown_parameter(
                     request, {"action", "from", "to", "tz", "group_by", "by"}
                 )
               : api::refuse_unknown_parameter(request, {"action", "from", "to", "tz", "group_by"});
    if (refusal) {
        return std::unexpected(*std::move(refusal));
    }
    AboutViews asked;
    if (of_one) {
        std::string scratch;
        const Asked<std::string_view> object = api::object_in_path(request, scratch);
        if (!object) {
            return std::unexpected(object.error());
        }
        asked.object = *object;
    }
    auto action = api::action_parameter(request);
    if (!action) {
        return std::unexpected(std::move(action).error());
    }
    asked.action = *std::move(action);
    if (asked.action == events::read_action) {
        asked.object = events::article_named(asked.object);  // as reads name it
    }
    const auto zone = api::zone_parameter(request);
    if (!zone) {
        return std::unexpected(zone.error());
    }
    asked.zone = zone->value_or(TimeZone{});
    const auto range = api::range_parameters(request, asked.zone, now);
    if (!range) {
        return std::unexpected(range.error());
    }
    if (const auto& days = *range) {
        asked.range = DayRange{.from = days->from, .to = days->to};
    }
    const Asked<bool> by_hour = by_hour_parameter(request);
    if (!by_hour) {
        return std::unexpected(by_hour.error());
    }
    asked.by_hour = *by_hour;
    return asked;
}

/// What answers need. All of it outlives the router.
struct ViewSources {
    Views* views;
    const Clock* clock;
    SipKey secret;
    runtime::BlockingPool* lookups;
    runtime::BlockingPool* surveys;
    std::shared_ptr<KeptRankings> rankings;
    by_profile::ReportDesk* by_profile;  ///< Null: nobody knows who is one person.
};

Response report_now(const ViewSources& sources, bool of_one, const Request& request) {
    const Asked<AboutViews> asked = read_asked(request, of_one, sources.clock->now());
    if (!asked) {
        return asked.error();
    }
    const ReportQuery query{
        .action = asked->action,
        .object = asked->object,
        .range = asked->range,
        .zone = asked->zone,
        .with_hours = asked->by_hour
    };
    const Result<Report> report =
        of_one ? sources.views->report(events::lane_of(asked->object, sources.secret), query)
               : sources.views->report_of_all(query);
    if (!report) {
        return answer_error(report.error(), asked->range || asked->by_hour ? "from" : "");
    }
    return {
        .content_type = "application/json",
        .body = report_json(*asked, *report, sources.clock->now()) + "\n"
    };
}

constexpr std::size_t ranked_default = 10;
constexpr std::size_t ranked_max = 100;

/// By what it goes, and of when it is.
std::string formula_json(const Ranking& ranking, const KeptRankings::Asked& asked, Instant now) {
    const bool by_people = asked.by == RankBy::people;
    if (!ranking.from) {
        return fmt::format(
            R"("formula":"{}")",
            by_people ? "most people of all time, then most views"
                      : "most views of all time, then most people"
        );
    }
    return fmt::format(
        R"("window":"{}","from":"{}","at":"{}","formula":"{}")",
        asked.window,
        events::format_rfc3339(*ranking.from),
        events::format_rfc3339(now),
        by_people ? "most people since from, the begin of a UTC day, then by name"
                  : "most views since from, the begin of a quarter-hour, then by name"
    );
}

std::string ranking_json(const Ranking& ranking, const KeptRankings::Asked& asked, Instant now) {
    std::string json = R"({"objects":[)";
    for (const RankedObject& each : ranking.objects) {
        json += fmt::format(
            R"({}{{"object":{},"views":{},"refused":{},{}}})",
            json.ends_with('[') ? "" : ",",
            json_string(each.object),
            each.views,
            each.refused,
            ranking.knows_people ? people_figures(asked.action, each.people, each.exact, each.error)
                                 : unknown_people_figures()
        );
    }
    return json + fmt::format(
                      R"(],"complete":{},{},{}}})"
                      "\n",
                      ranking.complete,
                      standing_json(ranking.standing, now),
                      formula_json(ranking, asked, now)
                  );
}

/// The window that ?window= names; empty: all time.
Asked<std::string> window_parameter(const Request& request) {
    const auto name = api::name_parameter(request, "window");
    if (!name) {
        return std::unexpected(name.error());
    }
    if (!*name) {
        return std::string{};
    }
    const Result<rankings::Window> window = rankings::parse_window(name->value_or(""));
    if (!window) {
        return std::unexpected(answer_error(window.error(), "window"));
    }
    return std::string{window->name};
}

Asked<KeptRankings::Asked> read_ranking_asked(const Request& request) {
    if (auto refusal =
            api::refuse_unknown_parameter(request, {"action", "by", "window", "limit"})) {
        return std::unexpected(*std::move(refusal));
    }
    auto action = api::action_parameter(request);
    if (!action) {
        return std::unexpected(std::move(action).error());
    }
    if (*action == events::read_action) {
        return std::unexpected(api::invalid_input(
            "articles that few have read are in no list for everybody: GET /api/v1/reading/popular "
            "ranks reads",
            "action"
        ));
    }
    const auto by = api::text_parameter(request, "by", "people");
    if (!by || (*by != "people" && *by != "views")) {
        return std::unexpected(
            http_server::problem(400, "invalid-input", "by must be people or views", "by")
        );
    }
    auto window = window_parameter(request);
    if (!window) {
        return std::unexpected(window.error());
    }
    const auto limit = api::number_parameter(request, "limit", ranked_default, 1, ranked_max);
    if (!limit) {
        return std::unexpected(limit.error());
    }
    return KeptRankings::Asked{
        .action = *std::move(action),
        .by = *by == "people" ? RankBy::people : RankBy::views,
        .limit = *limit,
        .window = *std::move(window)
    };
}

Response top_now(const ViewSources& sources, const Request& request, const std::stop_token& left) {
    const Asked<KeptRankings::Asked> asked = read_ranking_asked(request);
    if (!asked) {
        return asked.error();
    }
    const Result<Ranking> ranking = sources.rankings->top(*asked, left);
    if (!ranking) {
        return answer_error(ranking.error());
    }
    return {
        .content_type = "application/json",
        .body = ranking_json(*ranking, *asked, sources.clock->now())
    };
}

/// Of all time, or of a window.
Result<Ranking> make_ranking(
    Views& views, const KeptRankings::Asked& asked, const std::stop_token& left
) {
    if (asked.window.empty()) {
        return views.top(asked.action, asked.by, asked.limit, left);
    }
    TRY(const rankings::Window window, rankings::parse_window(asked.window));
    return views.top_of_window(asked.action, asked.by, window, asked.limit, left);
}

runtime::Task<> answer_top(ViewSources sources, Exchange* exchange) {
    const std::stop_token left = exchange->client_left();
    auto top = [&] { return top_now(sources, exchange->request(), left); };
    exchange->response() = co_await api::on_pool(sources.surveys, std::move(top), left);
}

runtime::Task<> answer_report(ViewSources sources, bool of_one, Exchange* exchange) {
    auto report = [&] { return report_now(sources, of_one, exchange->request()); };
    // One of all objects reads the rows of every lane.
    auto answer = of_one
                      ? api::on_pool(sources.lookups, std::move(report))
                      : api::on_pool(sources.surveys, std::move(report), exchange->client_left());
    exchange->response() = co_await std::move(answer);
}

std::optional<by_profile::DayRange> days_by_profile(const AboutViews& asked) {
    return asked.range.transform([](const DayRange& range) {
        return by_profile::DayRange{.from = range.from, .to = range.to};
    });
}

/// Who saw it, by profile: what counts are the events that view_day counts.
Asked<by_profile::Question> read_question(const Request& request, SipKey secret, Instant now) {
    Asked<AboutViews> asked = read_asked(request, /*of_one=*/true, now);
    if (!asked) {
        return std::unexpected(std::move(asked).error());
    }
    if (asked->by_hour) {
        return std::unexpected(by_profile::not_by_profile("by=profile is told by day alone"));
    }
    if (asked->action == events::read_action) {
        return std::unexpected(by_profile::not_by_profile(
            "who reads is known to reading alone: GET /api/v1/reading/readers counts readers by "
            "profile"
        ));
    }
    return by_profile::Question{
        .lanes = {events::lane_of(asked->object, secret)},
        .text = asked->object,
        .counts = [action = asked->action, object = asked->object](const events::JudgedEvent& judged
                  ) { return judged.event.action == action && judged.event.object == object; },
        .range = days_by_profile(*asked),
        .zone = asked->zone
    };
}

Response tell_people(const Request& request, const by_profile::Report& report, Instant now) {
    const Asked<AboutViews> asked = read_asked(request, /*of_one=*/true, now);
    if (!asked) {
        return asked.error();
    }
    return {
        .content_type = "application/json",
        .body = fmt::format(
            R"({{"object":{},"action":{},{}}})"
            "\n",
            json_string(asked->object),
            json_string(asked->action),
            by_profile::report_json(report, "counted", days_by_profile(*asked), asked->zone)
        )
    };
}

std::optional<runtime::Task<>> answer_object(const ViewSources& sources, Exchange& exchange) {
    const Asked<bool> by_profile =
        by_profile::asks_by_profile(exchange.request(), sources.by_profile);
    if (!by_profile) {
        exchange.response() = by_profile.error();
        return std::nullopt;
    }
    if (!*by_profile) {
        return answer_report(sources, /*of_one=*/true, &exchange);
    }
    const Instant now = sources.clock->now();
    return sources.by_profile->answer(
        &exchange,
        [secret = sources.secret, now](const Request& request) {
            return read_question(request, secret, now);
        },
        [now](const Request& request, const by_profile::Report& report) {
            return tell_people(request, report, now);
        }
    );
}

}  // namespace

void add_view_routes(
    api::FrontDoor& door,
    Views& views,
    const Clock& clock,
    SipKey secret,
    runtime::BlockingPool& lookups,
    runtime::BlockingPool& surveys,
    by_profile::ReportDesk* by_profile
) {
    const ViewSources sources{
        &views,
        &clock,
        secret,
        &lookups,
        &surveys,
        std::make_shared<KeptRankings>(std::bind_front(&make_ranking, std::ref(views))),
        by_profile
    };
    const auto add = [&](std::string_view path, http_server::Handler handler) {
        door.add(keys::Scope::read, http_server::Method::get, path, std::move(handler));
    };
    add("/api/v1/top",
        [sources](Exchange& exchange) { return std::optional{answer_top(sources, &exchange)}; });
    add("/api/v1/views", [sources](Exchange& exchange) {
        return std::optional{answer_report(sources, false, &exchange)};
    });
    add("/api/v1/views/{object}",
        [sources](Exchange& exchange) { return answer_object(sources, exchange); });
}

}  // namespace footfall::views::routes
