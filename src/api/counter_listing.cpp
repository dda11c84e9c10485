#include "api/counter_listing.h"

#include "api/answers.h"
#include "api/front_door.h"
#include "foundation/parse_number.h"
#include "foundation/utf8.h"
#include "http_server/problem.h"
#include "runtime/await_callback.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace footfall::api {
namespace {

using http_server::Exchange;
using http_server::Request;
using http_server::Response;
using runtime::Task;

constexpr std::size_t limit_default = 100;
constexpr std::size_t limit_max = 1000;

struct Asked {
    const tokens::CounterConfig* config = nullptr;
    bool by_name = false;
    std::size_t limit = limit_default;
    std::string after;
};

/// The decoded value of a query parameter, or `otherwise` if it is absent; an error if it is no
/// UTF-8.
Result<std::string> text_parameter(
    const Request& request, std::string_view name, std::string otherwise
) {
    std::string_view encoded;
    if (!http_server::query_value(request.query, name, encoded)) {
        return otherwise;
    }
    std::string decoded;
    if (!http_server::percent_decode(encoded, decoded) || !is_utf8(decoded)) {
        return fail(ErrorKind::invalid_input, fmt::format("{} is not percent-encoded UTF-8", name));
    }
    return decoded;
}

Result<Asked> read_asked(const tokens::TokenCounters& counters, const Request& request) {
    Asked asked;
    TRY(const std::string counter, text_parameter(request, "counter", "default"));
    TRY(asked.config, counters.counter(counter));
    TRY(const std::string sort, text_parameter(request, "sort", "name"));
    if (sort != "name" && sort != "count") {
        return fail(ErrorKind::invalid_input, "sort must be name or count");
    }
    asked.by_name = sort == "name";
    TRY(const std::string limit, text_parameter(request, "limit", std::to_string(limit_default)));
    const auto number = parse_unsigned(limit);
    if (!number || *number < 1 || *number > limit_max) {
        return fail(ErrorKind::invalid_input, fmt::format("limit must be from 1 to {}", limit_max));
    }
    asked.limit = *number;
    TRY(asked.after, text_parameter(request, "cursor", ""));
    if (!asked.by_name && !asked.after.empty()) {
        return fail(
            ErrorKind::invalid_input,
            "a cursor goes on with sort=name only; sort=count answers the largest"
        );
    }
    return asked;
}

/// Does the lookup; runs in the pool.
Result<std::string> look_up(
    storage::Store& store, tokens::TokenCounters& counters, const Asked& asked
) {
    if (!asked.by_name) {
        TRY(const auto largest, tokens::list_largest(store, counters, *asked.config, asked.limit));
        return fmt::format(
            R"({{"counters":{},"next":null,"complete":{}}})"
            "\n",
            json_of(largest.objects),
            largest.complete
        );
    }
    TRY(const auto listed,
        tokens::list_by_name(store, counters, *asked.config, asked.after, asked.limit));
    const std::string next = listed.more ? json_string(listed.objects.back().object) : "null";
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
    const Result<Asked> asked = read_asked(*counters, exchange->request());
    if (!asked) {
        exchange->response() = answer_error(asked.error());
        co_return;
    }
    auto start = [store, counters, pool, &asked](
                     std::move_only_function<void(Result<std::string>)> done
                 ) {
        auto shared =
            std::make_shared<std::move_only_function<void(Result<std::string>)>>(std::move(done));
        const Result<void> taken = pool->submit([store, counters, &asked, shared] {
            (*shared)(look_up(*store, *counters, *asked));
        });
        if (!taken) {
            (*shared)(std::unexpected(taken.error()));
        }
    };
    Result<std::string> found =
        co_await runtime::await_callback<Result<std::string>>(std::move(start));
    if (!found) {
        exchange->response() = answer_error(found.error());
        co_return;
    }
    exchange->response() = Response{.content_type = "application/json", .body = *std::move(found)};
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
    http_server::Router& router,
    storage::Store& store,
    tokens::TokenCounters& counters,
    runtime::BlockingPool& pool
) {
    router.add(
        http_server::Method::get,
        "/api/v1/counters",
        guarded([&store, &counters, &pool](Exchange& exchange) {
            return std::optional{list_counters(&store, &counters, &pool, &exchange)};
        })
    );
}

}  // namespace footfall::api
