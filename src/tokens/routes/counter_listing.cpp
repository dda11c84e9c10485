#include "tokens_routes/counter_listing.h"

#include "api/answers.h"
#include "api/front_door.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "foundation/json_string.h"
#include "http_server/problem.h"
#include "tokens_routes/counter_parameters.h"

#include <fmt/format.h>

#include <optional>
#include <stop_token>
#include <utility>

namespace footfall::tokens::routes {
namespace {

using http_server::Exchange;
using http_server::Request;
using http_server::Response;
using runtime::Task;

constexpr std::size_t limit_default = 100;
constexpr std::size_t limit_max = 1000;

/// Which part of the list is asked for.
struct AboutList {
    const tokens::CounterConfig* config = nullptr;
    bool by_name = false;
    std::size_t limit = limit_default;
    std::string after;
};

api::Asked<AboutList> read_asked(const tokens::TokenCounters& counters, const Request& request) {
    if (auto refusal =
            api::refuse_unknown_parameter(request, {"counter", "sort", "limit", "cursor"})) {
        return std::unexpected(*std::move(refusal));
    }
    const auto config = counter_parameter(request, counters);
    const auto sort = api::text_parameter(request, "sort", "name");
    const auto limit = api::number_parameter(request, "limit", limit_default, 1, limit_max);
    auto after = api::text_parameter(request, "cursor", "");
    if (!config) {
        return std::unexpected(config.error());
    }
    if (!sort || (*sort != "name" && *sort != "count")) {
        return std::unexpected(
            http_server::problem(400, "invalid-input", "sort must be name or count", "sort")
        );
    }
    if (!limit) {
        return std::unexpected(limit.error());
    }
    if (!after) {
        return std::unexpected(std::move(after).error());
    }
    const bool by_name = *sort == "name";
    if (!by_name && !after->empty()) {
        return std::unexpected(http_server::problem(
            400,
            "invalid-input",
            "a cursor goes on with sort=name only; sort=count answers the largest",
            "cursor"
        ));
    }
    return AboutList{
        .config = *config, .by_name = by_name, .limit = *limit, .after = *std::move(after)
    };
}

/// Does the lookup; runs in the pool.
Result<std::string> look_up(
    storage::Store& store,
    tokens::TokenCounters& counters,
    const AboutList& asked,
    const std::stop_token& left
) {
    if (!asked.by_name) {
        TRY(const auto largest,
            tokens::list_largest(store, counters, *asked.config, asked.limit, left));
        return fmt::format(
            R"({{"counters":{},"next":null,"complete":{}}})"
            "\n",
            json_of(largest.objects),
            largest.complete
        );
    }
    TRY(const auto listed,
        tokens::list_by_name(store, counters, *asked.config, asked.after, asked.limit, left));
    const std::string next = listed.next ? json_string(*listed.next) : "null";
    return fmt::format(
        R"({{"counters":{},"next":{}}})"
        "\n",
        json_of(listed.objects),
        next
    );
}

Task<> list_counters(
    storage::Store* store,
    tokens::TokenCounters* counters,
    runtime::BlockingPool* pool,
    Exchange* exchange
) {
    const api::Asked<AboutList> asked = read_asked(*counters, exchange->request());
    if (!asked) {
        exchange->response() = asked.error();
        co_return;
    }
    const std::stop_token left = exchange->client_left();
    auto list = [&] {
        Result<std::string> found = look_up(*store, *counters, *asked, left);
        return found ? Response{.content_type = "application/json", .body = *std::move(found)}
                     : api::answer_error(found.error());
    };
    exchange->response() = co_await api::on_pool(pool, std::move(list), left);
}

}  // namespace

std::string json_of(std::span<const tokens::ListedObject> objects) {
    std::string json = "[";
    for (const tokens::ListedObject& listed : objects) {
        json += fmt::format(
            R"({}{{"object":{},"count":{},"exact":{},"at_least":{}}})",
            json.size() == 1 ? "" : ",",
            json_string(listed.object),
            listed.count.count,
            !listed.count.at_least,
            listed.count.at_least
        );
    }
    json += "]";
    return json;
}

void add_listing_routes(
    api::FrontDoor& door,
    storage::Store& store,
    tokens::TokenCounters& counters,
    runtime::BlockingPool& pool
) {
    door.add(
        keys::Scope::read,
        http_server::Method::get,
        "/api/v1/counters",
        [&store, &counters, &pool](Exchange& exchange) {
            return std::optional{list_counters(&store, &counters, &pool, &exchange)};
        }
    );
}

}  // namespace footfall::tokens::routes
