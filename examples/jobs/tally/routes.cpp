#include "tally/routes.h"

#include "api/answers.h"
#include "api/event_stream.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "foundation/calendar_day.h"
#include "foundation/json_string.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace footfall::tally {
namespace {

using http_server::Exchange;
using http_server::Response;

constexpr std::uint64_t days_default = 30;
constexpr std::uint64_t days_max = 366;
/// Of more actions the rarest are left out.
constexpr std::size_t actions_told = 1000;

/// What answers need. All of it outlives the router.
struct Sources {
    Tally* tally;
    const Clock* clock;
    runtime::BlockingPool* lookups;
    const api::ProgramFacts* facts;
    api::Doorkeeper keeper;
};

/// An action with its days, which are in order.
struct Action {
    std::string name;
    std::uint64_t events = 0;
    std::vector<std::pair<std::int64_t, std::uint64_t>> days = {};
};

std::vector<Action> actions_of(const Totals& totals) {
    std::vector<Action> actions;
    for (const auto& [key, events] : totals.events) {
        if (actions.empty() || actions.back().name != key.first) {
            actions.push_back({.name = key.first});
        }
        actions.back().events += events;
        actions.back().days.emplace_back(key.second, events);
    }
    std::ranges::sort(actions, [](const Action& one, const Action& other) {
        return std::tie(other.events, one.name) < std::tie(one.events, other.name);
    });
    actions.resize(std::min(actions.size(), actions_told));
    return actions;
}

std::string days_json(const Action& action) {
    std::string json = R"(,"days":[)";
    for (const auto& [day, events] : action.days) {
        json += fmt::format(
            R"({}{{"day":"{}","events":{}}})",
            json.ends_with('[') ? "" : ",",
            format_day(static_cast<std::int32_t>(day)),
            events
        );
    }
    return json + "]";
}

std::string tally_json(const Totals& totals, bool with_days) {
    std::string json = R"({"actions":[)";
    for (const Action& each : actions_of(totals)) {
        json += fmt::format(
            R"({}{{"action":{},"events":{}{}}})",
            json.ends_with('[') ? "" : ",",
            json_string(each.name),
            each.events,
            with_days ? days_json(each) : ""
        );
    }
    return json + fmt::format(R"(],"provisional":{}}})", totals.provisional);
}

/// The first of so many days, of which today is the last.
std::int64_t first_of(std::uint64_t days, Instant now) {
    const auto today = std::chrono::floor<std::chrono::days>(now).time_since_epoch().count();
    return today - static_cast<std::int64_t>(days) + 1;
}

Response tally_now(const Sources& sources, const http_server::Request& request) {
    if (auto refusal = api::refuse_unknown_parameter(request, {"days"})) {
        return *std::move(refusal);
    }
    const auto days = api::number_parameter(request, "days", days_default, 1, days_max);
    if (!days) {
        return days.error();
    }
    const Result<Totals> totals = sources.tally->totals(first_of(*days, sources.clock->now()));
    if (!totals) {
        return api::answer_error(totals.error());
    }
    return {.content_type = "application/json", .body = tally_json(*totals, true) + "\n"};
}

runtime::Task<> answer_tally(Sources sources, Exchange* exchange) {
    auto tally = [&] { return tally_now(sources, exchange->request()); };
    exchange->response() = co_await api::on_pool(sources.lookups, std::move(tally));
}

runtime::Task<> stream_tally(Sources sources, Exchange* exchange) {
    exchange->response().content_type = "text/event-stream";
    exchange->response().headers.emplace_back("Cache-Control", "no-store");
    std::string told;
    std::string part = api::hello_event(*sources.facts);
    // Asked again each second: a key that is revoked ends its streams.
    while (co_await exchange->send_part(std::move(part)) && co_await exchange->next_second() &&
           !sources.keeper.refuse(exchange->request(), keys::Scope::read)) {
        auto ask = [&] {
            const auto totals = sources.tally->totals(first_of(days_max, sources.clock->now()));
            return Response{.body = totals ? tally_json(*totals, false) : ""};
        };
        const Response now = co_await api::on_pool(sources.lookups, std::move(ask));
        if (now.status != 200 || now.body.empty() || now.body == told) {
            part = ": nothing new\n\n";
            continue;
        }
        told = now.body;
        part = api::stream_event("tally", told);
    }
}

}  // namespace

void add_routes(
    api::FrontDoor& door, Tally& tally, const Clock& clock, const jobs::Answering& answering
) {
    const Sources sources{&tally, &clock, answering.lookups, answering.facts, door.keeper()};
    door.add(
        keys::Scope::read,
        http_server::Method::get,
        "/api/v1/tally",
        [sources](Exchange& exchange) { return std::optional{answer_tally(sources, &exchange)}; }
    );
    door.add(
        keys::Scope::read,
        http_server::Method::get,
        "/api/v1/live/tally",
        [sources](Exchange& exchange) -> std::optional<runtime::Task<>> {
            if (auto refusal = api::refuse_unknown_parameter(exchange.request(), {})) {
                exchange.response() = *std::move(refusal);
                return std::nullopt;
            }
            return std::optional{stream_tally(sources, &exchange)};
        }
    );
}

}  // namespace footfall::tally
