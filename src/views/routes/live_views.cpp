#include "views_routes/live_views.h"

#include "api/event_answers.h"
#include "api/event_stream.h"
#include "api/front_door.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "api/told_seconds.h"
#include "events/event_keys.h"
#include "views_routes/view_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace footfall::views::routes {
namespace {

using http_server::Exchange;
using http_server::Response;
using runtime::Task;

/// The latest; more events of a second are told by their numbers alone.
constexpr std::size_t events_told = 20;

/// What the stream needs. All of it outlives the router.
struct LiveSources {
    intake::Intake* intake;
    Views* views;
    runtime::BlockingPool* lookups;
    const api::ProgramFacts* facts;
    api::Doorkeeper keeper;
};

std::int64_t second_now(const LiveSources& sources) {
    return std::chrono::floor<std::chrono::seconds>(sources.intake->context().clock->now())
        .time_since_epoch()
        .count();
}

std::string history_event(const std::vector<intake::ActivitySecond>& seconds) {
    std::string data = R"({"seconds":[)";
    for (const intake::ActivitySecond& each : seconds) {
        data += fmt::format(
            "{}[{},{},{}]", data.ends_with('[') ? "" : ",", each.second, each.counted, each.refused
        );
    }
    return api::stream_event("history", data + "]}");
}

/// One event for each second in [from, before), also for those in which nothing happened.
std::string second_events(const LiveSources& sources, std::int64_t from, std::int64_t before) {
    const auto seconds = sources.intake->activity_between(from, before);
    std::string events;
    auto next = seconds.begin();
    for (std::int64_t second = from; second < before; ++second) {
        const bool active = next != seconds.end() && next->second == second;
        const intake::ActivitySecond each =
            active ? *next++ : intake::ActivitySecond{.second = second};
        events += fmt::format("id: {}\n", each.second) +
                  api::stream_event(
                      "second",
                      fmt::format(
                          R"({{"time":{},"counted":{},"refused":{}}})",
                          each.second,
                          each.counted,
                          each.refused
                      )
                  );
    }
    return events;
}

/// One object, watched: what is new of it since it was last asked.
class WatchedObject {
public:
    WatchedObject(const LiveSources& sources, std::string object, std::string action)
        : sources_{sources}, lane_{events::lane_of(object, sources.intake->context().secret)} {
        asked_.object = std::move(object);
        asked_.action = std::move(action);
        next_ = sources_.intake->end_of(lane_);
    }

    bool may_have_news() const { return is_behind_ || sources_.intake->end_of(lane_) != next_; }

    /// Its new events, and its views after them, as soon as whoever counts them has; nothing, if
    /// there are none. Waits.
    std::string news() {
        const auto news = sources_.intake->since(lane_, next_, asked_.object);
        if (!news) {
            return {};  // it is told of when it can be read
        }
        next_ = news->next;
        if (news->events.empty()) {
            return is_behind_ ? report() : "";
        }
        std::span<const intake::FoundEvent> told{news->events};
        told = told.last(std::min(told.size(), events_told));
        return report() + api::stream_event(
                              "events", api::found_events_json(told, sources_.intake->context())
                          );
    }

    /// Waits.
    std::string report() {
        const auto report = sources_.views->report(
            lane_, {.action = asked_.action, .object = asked_.object, .zone = asked_.zone}
        );
        is_behind_ = !report || report->standing.counted < next_;
        return report ? api::stream_event(
                            "report",
                            report_json(asked_, *report, sources_.intake->context().clock->now())
                        )
                      : "";
    }

private:
    LiveSources sources_;
    std::uint32_t lane_;
    AboutViews asked_;
    std::uint64_t next_ = 0;  ///< Records before are told of.
    bool is_behind_ = false;  ///< The latest report did not have all of them.
};

Task<> stream_views(LiveSources sources, std::optional<WatchedObject> watched, Exchange* exchange) {
    exchange->response().content_type = "text/event-stream";
    exchange->response().headers.emplace_back("Cache-Control", "no-store");
    const std::int64_t begun = second_now(sources);
    api::ToldSeconds told{begun};
    const auto kept = static_cast<std::int64_t>(intake::Activity::kept_seconds);
    std::string part = api::hello_event(*sources.facts);
    part += history_event(sources.intake->activity_between(begun - kept, begun));
    if (watched) {
        // Said before its owner is asked, who may take a while to answer.
        if (!co_await exchange->send_part(std::move(part))) {
            co_return;
        }
        auto report = [&] { return Response{.body = watched->report()}; };
        const Response first = co_await api::on_pool(sources.lookups, std::move(report));
        part = first.body.empty() ? ": not known yet\n\n" : first.body;
    }
    while (co_await exchange->send_part(std::move(part)) && co_await exchange->next_second() &&
           !sources.keeper.refuse(exchange->request(), keys::Scope::read)) {
        const auto [from, before, anew] = told.next(second_now(sources), kept);
        part = anew ? history_event(sources.intake->activity_between(from, before))
                    : second_events(sources, from, before);
        if (watched && watched->may_have_news()) {
            auto ask = [&] { return Response{.body = watched->news()}; };
            const Response news = co_await api::on_pool(sources.lookups, std::move(ask));
            part += news.status == 200 ? news.body : "";
        }
        if (part.empty()) {
            part = ": nothing new\n\n";
        }
    }
}

std::optional<Task<>> watch(const LiveSources& sources, Exchange& exchange) {
    const http_server::Request& request = exchange.request();
    if (auto refusal = api::refuse_unknown_parameter(request, {"object", "action"})) {
        exchange.response() = *std::move(refusal);
        return std::nullopt;
    }
    api::Asked<std::optional<std::string>> object = api::object_parameter(request);
    api::Asked<std::string> action = api::action_parameter(request);
    if (!object || !action) {
        exchange.response() = object ? action.error() : object.error();
        return std::nullopt;
    }
    std::optional<WatchedObject> watched;
    if (std::optional<std::string>& named = *object) {
        watched.emplace(sources, *std::move(named), *std::move(action));
    }
    return stream_views(sources, std::move(watched), &exchange);
}

}  // namespace

void add_live_views_route(
    api::FrontDoor& door,
    intake::Intake& intake,
    Views& views,
    runtime::BlockingPool& lookups,
    const api::ProgramFacts& facts
) {
    const LiveSources sources{&intake, &views, &lookups, &facts, door.keeper()};
    door.add(
        keys::Scope::read,
        http_server::Method::get,
        "/api/v1/live/views",
        [sources](Exchange& exchange) { return watch(sources, exchange); }
    );
}

}  // namespace footfall::views::routes
