#include "tokens_routes/counter_routes.h"

#include "api/answers.h"
#include "api/front_door.h"
#include "api/parameters.h"
#include "foundation/names.h"
#include "http_server/problem.h"
#include "runtime/await_callback.h"
#include "tokens_routes/count_answer.h"
#include "tokens_routes/counter_parameters.h"
#include "tokens_routes/token_batch.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::tokens::routes {
namespace {

using http_server::Exchange;
using http_server::Method;
using http_server::Request;
using http_server::Response;
using keys::Scope;
using runtime::Task;
using tokens::Count;
using tokens::CounterConfig;
using tokens::TokenCounters;

/// What a request about one object asks.
struct AboutObject {
    const CounterConfig* config = nullptr;
    std::string_view object;  ///< In the request, or in the exchange's scratch.
    std::optional<std::chrono::seconds> ttl;
};

/// Takes apart path and query; the answer that refuses them otherwise.
api::Asked<AboutObject> read_asked(const TokenCounters& counters, Exchange& exchange) {
    const Request& request = exchange.request();
    const api::Asked<std::string_view> object = api::object_in_path(request, exchange.scratch());
    if (!object) {
        return std::unexpected(object.error());
    }
    if (auto refusal = api::refuse_unknown_parameter(request, {"counter", "ttl"})) {
        return std::unexpected(*std::move(refusal));
    }
    const api::Asked<const CounterConfig*> config = counter_parameter(request, counters);
    if (!config) {
        return std::unexpected(config.error());
    }
    const auto ttl = ttl_parameter(request, **config);
    if (!ttl) {
        return std::unexpected(ttl.error());
    }
    return AboutObject{.config = *config, .object = *object, .ttl = *ttl};
}

/// The refusal of a body that is no token. Absent: it is one.
std::optional<Response> refuse_token(const Request& request) {
    if (!request.known.content_encoding.empty()) {
        return http_server::problem(
            415, "unsupported-encoding", "send the token as it is", "Content-Encoding"
        );
    }
    if (request.body.empty()) {
        return http_server::problem(
            400, "invalid-input", "the body, which is the token, is empty", "token"
        );
    }
    return std::nullopt;
}

void answer(Exchange& exchange, const AboutObject& asked, const Result<Count>& count) {
    if (count) {
        answer_count(
            exchange.response(), exchange.request(), asked.object, asked.config->name, *count
        );
    } else {
        exchange.response() = api::answer_error(count.error());
    }
}

/// The object is not in memory: waits until it is.
Task<> put_and_wait(TokenCounters* counters, Exchange* exchange, AboutObject asked) {
    auto start = [counters, exchange, &asked](tokens::CountDone done) {
        counters->put(
            *asked.config, asked.object, exchange->request().body, asked.ttl, std::move(done)
        );
    };
    const Result<Count> count = co_await runtime::await_callback<Result<Count>>(std::move(start));
    answer(*exchange, asked, count);
}

Task<> get_and_wait(TokenCounters* counters, Exchange* exchange, AboutObject asked) {
    auto start = [counters, &asked](tokens::CountDone done) {
        counters->get(*asked.config, asked.object, std::move(done));
    };
    const Result<Count> count = co_await runtime::await_callback<Result<Count>>(std::move(start));
    answer(*exchange, asked, count);
}

std::optional<Task<>> put_token(TokenCounters& counters, Exchange& exchange) {
    api::Asked<AboutObject> asked = read_asked(counters, exchange);
    if (!asked) {
        exchange.response() = std::move(asked).error();
        return std::nullopt;
    }
    const Request& request = exchange.request();
    if (auto refusal = refuse_token(request)) {
        exchange.response() = *std::move(refusal);
        return std::nullopt;
    }
    const auto count = counters.put_now(*asked->config, asked->object, request.body, asked->ttl);
    if (!count) {
        return put_and_wait(&counters, &exchange, *asked);
    }
    answer(exchange, *asked, *count);
    return std::nullopt;
}

std::optional<Task<>> get_count(TokenCounters& counters, Exchange& exchange) {
    api::Asked<AboutObject> asked = read_asked(counters, exchange);
    if (!asked) {
        exchange.response() = std::move(asked).error();
        return std::nullopt;
    }
    const auto count = counters.get_now(*asked->config, asked->object);
    if (!count) {
        return get_and_wait(&counters, &exchange, *asked);
    }
    answer(exchange, *asked, *count);
    return std::nullopt;
}

}  // namespace

void add_counter_routes(api::FrontDoor& door, TokenCounters& counters, TokenBatches& batches) {
    constexpr std::string_view object = "/api/v1/counter/{object}";
    door.add(
        Scope::write,
        Method::put,
        object,
        [&counters](Exchange& exchange) { return put_token(counters, exchange); },
        {.bytes = longest_name_bytes,
         .problem = "token-too-long",
         .what = "the token",
         .field = "token"}
    );
    door.add(Scope::read, Method::get, object, [&counters](Exchange& exchange) {
        return get_count(counters, exchange);
    });
    door.add(
        Scope::write,
        Method::post,
        "/api/v1/counter",
        [&batches](Exchange& exchange) { return std::optional{batches.put(&exchange)}; },
        {.bytes = batch_bytes_max}
    );
}

}  // namespace footfall::tokens::routes
