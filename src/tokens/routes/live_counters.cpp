#include "tokens_routes/live_counters.h"

#include "api/event_stream.h"
#include "api/front_door.h"
#include "api/parameters.h"
#include "api/told_seconds.h"

#include <fmt/format.h>

#include <optional>

namespace footfall::tokens::routes {
namespace {

using http_server::Exchange;
using runtime::Task;

std::string milliseconds_or_null(std::optional<std::chrono::nanoseconds> duration) {
    return duration
               ? fmt::format("{:.3f}", std::chrono::duration<double, std::milli>(*duration).count())
               : "null";
}

std::string history_event(
    const std::vector<tokens::ActivitySecond>& seconds, const api::DurableTimes& durable_times
) {
    std::string data = R"({"seconds":[)";
    for (const tokens::ActivitySecond& each : seconds) {
        data += fmt::format(
            "{}[{},{},{},{},{}]",
            data.ends_with('[') ? "" : ",",
            each.second,
            each.put,
            each.added,
            each.unsure,
            milliseconds_or_null(durable_times.slowest_in(each.second))
        );
    }
    return api::stream_event("history", data + "]}");
}

std::string second_event(
    const tokens::ActivitySecond& each, const api::DurableTimes& durable_times
) {
    const std::string data = fmt::format(
        R"({{"time":{},"put":{},"new":{},"unsure":{},"durable_ms":{}}})",
        each.second,
        each.put,
        each.added,
        each.unsure,
        milliseconds_or_null(durable_times.slowest_in(each.second))
    );
    return fmt::format("id: {}\n{}", each.second, api::stream_event("second", data));
}

/// One event for each second in [from, before), also for those in which nothing happened.
std::string second_events(
    std::int64_t from,
    std::int64_t before,
    tokens::TokenCounters& counters,
    const api::DurableTimes& durable_times
) {
    const std::vector<tokens::ActivitySecond> seconds = counters.activity_between(from, before);
    std::string events;
    auto next = seconds.begin();
    for (std::int64_t second = from; second < before; ++second) {
        const bool active = next != seconds.end() && next->second == second;
        events += second_event(
            active ? *next++ : tokens::ActivitySecond{.second = second}, durable_times
        );
    }
    return events;
}

std::int64_t second_now(const tokens::TokenCounters& counters) {
    return std::chrono::floor<std::chrono::seconds>(counters.clock().now())
        .time_since_epoch()
        .count();
}

Task<> stream_counters(
    tokens::TokenCounters* counters,
    const api::DurableTimes* durable_times,
    LargestCache* largest,
    const api::ProgramFacts* facts,
    api::Doorkeeper keeper,
    Exchange* exchange
) {
    exchange->response().content_type = "text/event-stream";
    exchange->response().headers.emplace_back("Cache-Control", "no-store");
    const std::int64_t begun = second_now(*counters);
    api::ToldSeconds told{begun};
    std::string part = api::hello_event(*facts);
    const auto kept = static_cast<std::int64_t>(tokens::Activity::kept_seconds);
    part += history_event(counters->activity_between(begun - kept, begun), *durable_times);
    std::uint64_t largest_version = 0;
    // Asked again each second: a key that is revoked ends its streams, and so does one that
    // expires.
    while (co_await exchange->send_part(std::move(part)) && co_await exchange->next_second() &&
           !keeper.refuse(exchange->request(), keys::Scope::read)) {
        const auto [from, before, anew] = told.next(second_now(*counters), kept);
        part = anew ? history_event(counters->activity_between(from, before), *durable_times)
                    : second_events(from, before, *counters, *durable_times);
        const auto snapshot = largest->latest();
        if (snapshot->version != largest_version) {
            largest_version = snapshot->version;
            part += api::stream_event("largest", snapshot->json);
        }
        if (part.empty()) {
            part = ": nothing new\n\n";
        }
    }
}

}  // namespace

void add_live_counters_route(
    api::FrontDoor& door,
    tokens::TokenCounters& counters,
    const api::DurableTimes& durable_times,
    LargestCache& largest,
    const api::ProgramFacts& facts
) {
    door.add(
        keys::Scope::read,
        http_server::Method::get,
        "/api/v1/live/counters",
        [&, keeper = door.keeper()](Exchange& exchange) {
            if (auto refusal = api::refuse_unknown_parameter(exchange.request(), {})) {
                exchange.response() = *std::move(refusal);
                return std::optional<runtime::Task<>>{};
            }
            return std::optional{
                stream_counters(&counters, &durable_times, &largest, &facts, keeper, &exchange)
            };
        }
    );
}

}  // namespace footfall::tokens::routes
