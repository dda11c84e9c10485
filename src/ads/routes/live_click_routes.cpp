#include "ads_routes/live_click_routes.h"

#include "api/parameters.h"
#include "api/told_seconds.h"
#include "intake/activity.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace footfall::ads::routes {
namespace {

using http_server::Exchange;
using runtime::Task;

/// What the stream needs. All of it outlives the router.
struct LiveSources {
    LiveClicks* clicks;
    const Clock* clock;
    const api::ProgramFacts* facts;
    api::Doorkeeper keeper;
};

/// Whose clicks are watched; absent: everybody's.
struct Watched {
    std::optional<std::string> ad;
    std::optional<std::string> reseller;
};

std::int64_t second_now(const LiveSources& sources) {
    return std::chrono::floor<std::chrono::seconds>(sources.clock->now())
        .time_since_epoch()
        .count();
}

std::vector<intake::ActivitySecond> seconds_between(
    const LiveSources& sources, const Watched& watched, std::int64_t from, std::int64_t before
) {
    const auto clicks = sources.clicks->between(
        {.ad = watched.ad ? *watched.ad : "", .reseller = watched.reseller ? *watched.reseller : ""
        },
        from,
        before
    );
    std::vector<intake::ActivitySecond> seconds;
    seconds.reserve(clicks.size());
    for (const ClickSecond& each : clicks) {
        seconds.push_back({.second = each.second, .counted = each.counted, .refused = each.refused}
        );
    }
    return seconds;
}

Task<> stream_clicks(LiveSources sources, Watched watched, Exchange* exchange) {
    exchange->response().content_type = "text/event-stream";
    exchange->response().headers.emplace_back("Cache-Control", "no-store");
    constexpr std::int64_t kept = LiveClicks::kept_seconds;
    const std::int64_t begun = second_now(sources);
    api::ToldSeconds told{begun};
    std::string part = api::hello_event(*sources.facts);
    part += api::history_event(seconds_between(sources, watched, begun - kept, begun));
    // Asked again each second: a key that is revoked ends its streams, and so does one that
    // expires.
    while (co_await exchange->send_part(std::move(part)) && co_await exchange->next_second() &&
           !sources.keeper.refuse_asked_party(
               exchange->request(), keys::Scope::read, keys::PartyKind::reseller
           )) {
        const auto [from, before, anew] = told.next(second_now(sources), kept);
        const auto seconds = seconds_between(sources, watched, from, before);
        part = anew ? api::history_event(seconds) : api::second_events(seconds, from, before);
        if (part.empty()) {
            part = ": nothing new\n\n";
        }
    }
}

std::optional<Task<>> watch(const LiveSources& sources, Exchange& exchange) {
    const http_server::Request& request = exchange.request();
    if (auto refusal = api::refuse_unknown_parameter(request, {"ad", "reseller"})) {
        exchange.response() = *std::move(refusal);
        return std::nullopt;
    }
    api::Asked<std::optional<std::string>> ad = api::name_parameter(request, "ad");
    api::Asked<std::optional<std::string>> reseller = api::name_parameter(request, "reseller");
    if (!ad || !reseller) {
        exchange.response() = ad ? reseller.error() : ad.error();
        return std::nullopt;
    }
    return stream_clicks(
        sources, {.ad = *std::move(ad), .reseller = *std::move(reseller)}, &exchange
    );
}

}  // namespace

void add_live_click_route(
    api::FrontDoor& door, LiveClicks& clicks, const Clock& clock, const api::ProgramFacts& facts
) {
    const LiveSources sources{&clicks, &clock, &facts, door.keeper()};
    door.add_for_asked_party(
        keys::Scope::read,
        keys::PartyKind::reseller,
        http_server::Method::get,
        "/api/v1/live/clicks",
        [sources](Exchange& exchange) { return watch(sources, exchange); }
    );
}

}  // namespace footfall::ads::routes
