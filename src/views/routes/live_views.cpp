#include "views_routes/live_views.h"

#include "api/event_answers.h"
#include "api/event_stream.h"
#include "api/front_door.h"
#include "api/parameters.h"
#include "api/shared_reports.h"
#include "api/told_seconds.h"
#include "events/event_keys.h"
#include "views_routes/view_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

namespace footfall::views::routes {
namespace {

using http_server::Exchange;
using runtime::Task;

/// The latest; more events of a second are told by their numbers alone.
constexpr std::size_t events_told = 20;

/// What the stream needs. All of it outlives the router.
struct LiveSources {
    intake::Intake* intake;
    Views* views;
    const api::ProgramFacts* facts;
    api::Doorkeeper keeper;
};

std::int64_t second_now(const LiveSources& sources) {
    return std::chrono::floor<std::chrono::seconds>(sources.intake->context().clock->now())
        .time_since_epoch()
        .count();
}

/// One object, as all see it who watch it: what is new of it since its last report.
class WatchedObject final : public api::ReportSource {
public:
    WatchedObject(const LiveSources& sources, std::string object, std::string action)
        : sources_{sources}, lane_{events::lane_of(object, sources.intake->context().secret)} {
        asked_.object = std::move(object);
        asked_.action = std::move(action);
        next_ = sources_.intake->end_of(lane_);
    }

    bool has_news() const override { return is_behind_ || sources_.intake->end_of(lane_) != next_; }

    /// Its views, as soon as whoever counts them has its new events, and these. Waits.
    Result<std::optional<Report>> make(bool needed) override {
        TRY(const auto since, sources_.intake->since(lane_, next_, asked_.object));
        const bool is_new = is_behind_ || !since.events.empty();
        if (!is_new && !needed) {
            next_ = since.next;  // it was of other objects of the lane
            return std::nullopt;
        }
        TRY(const auto report,
            sources_.views->report(
                lane_, {.action = asked_.action, .object = asked_.object, .zone = asked_.zone}
            ));
        next_ = since.next;
        is_behind_ = report.standing.counted < since.next;
        const Instant now = sources_.intake->context().clock->now();
        std::string text = api::stream_event("report", report_json(asked_, report, now));
        if (!since.events.empty()) {
            std::span<const intake::FoundEvent> told{since.events};
            told = told.last(std::min(told.size(), events_told));
            text += api::stream_event(
                "events", api::found_events_json(told, sources_.intake->context())
            );
        }
        return Report{.text = std::move(text), .is_new = is_new};
    }

private:
    LiveSources sources_;
    std::uint32_t lane_;
    AboutViews asked_;
    std::atomic<std::uint64_t> next_ = 0;  ///< Records before are told of.
    std::atomic<bool> is_behind_ = false;  ///< The latest report did not have all of them.
};

/// `watcher`: null if no object is watched.
Task<> stream_views(
    LiveSources sources, std::unique_ptr<api::SharedReports::Watcher> watcher, Exchange* exchange
) {
    exchange->response().content_type = "text/event-stream";
    exchange->response().headers.emplace_back("Cache-Control", "no-store");
    const std::int64_t begun = second_now(sources);
    api::ToldSeconds told{begun};
    const auto kept = static_cast<std::int64_t>(intake::Activity::kept_seconds);
    std::string part = api::hello_event(*sources.facts);
    part += api::history_event(sources.intake->activity_between(begun - kept, begun));
    part += watcher ? watcher->next(begun) : "";
    while (co_await exchange->send_part(std::move(part)) && co_await exchange->next_second() &&
           !sources.keeper.refuse(exchange->request(), keys::Scope::read)) {
        const std::int64_t now = second_now(sources);
        const auto [from, before, anew] = told.next(now, kept);
        const auto seconds = sources.intake->activity_between(from, before);
        part = anew ? api::history_event(seconds) : api::second_events(seconds, from, before);
        part += watcher ? watcher->next(now) : "";
        if (part.empty()) {
            part = ": nothing new\n\n";
        }
    }
}

std::optional<Task<>> watch(
    const LiveSources& sources, api::SharedReports& reports, Exchange& exchange
) {
    const http_server::Request& request = exchange.request();
    if (auto refusal = api::refuse_unknown_parameter(request, {"object", "action"})) {
        exchange.response() = *std::move(refusal);
        return std::nullopt;
    }
    const api::Asked<std::optional<std::string>> object = api::object_parameter(request);
    const api::Asked<std::string> action = api::action_parameter(request);
    if (!object || !action) {
        exchange.response() = object ? action.error() : object.error();
        return std::nullopt;
    }
    std::unique_ptr<api::SharedReports::Watcher> watcher;
    if (const std::optional<std::string>& named = *object) {
        // Whoever comes as far has the scope `read`, and there is none that shows more or less.
        watcher = reports.watch(
            fmt::format("{} {}{}", action->size(), *action, *named),
            [&] { return std::make_unique<WatchedObject>(sources, *named, *action); },
            exchange.waker()
        );
    }
    return stream_views(sources, std::move(watcher), &exchange);
}

}  // namespace

void add_live_views_route(
    api::FrontDoor& door,
    intake::Intake& intake,
    Views& views,
    runtime::BlockingPool& lookups,
    const api::ProgramFacts& facts
) {
    const LiveSources sources{&intake, &views, &facts, door.keeper()};
    const auto reports = std::make_shared<api::SharedReports>(lookups);
    door.add(
        keys::Scope::read,
        http_server::Method::get,
        "/api/v1/live/views",
        [sources, reports](Exchange& exchange) { return watch(sources, *reports, exchange); }
    );
}

}  // namespace footfall::views::routes
