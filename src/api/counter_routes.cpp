#include "api/counter_routes.h"

#include "api/answers.h"
#include "api/front_door.h"
#include "api/parameters.h"
#include "api/token_batch.h"
#include "http_server/problem.h"
#include "runtime/await_callback.h"
#include "tokens/names.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

namespace footfall::api {
namespace {

using http_server::Exchange;
using http_server::Method;
using http_server::Request;
using http_server::Response;
using runtime::Task;
using tokens::Count;
using tokens::CounterConfig;
using tokens::TokenCounters;

/// What a request about one object asks.
struct AboutObject {
    const CounterConfig* config = nullptr;
    std::string object;
    std::optional<std::chrono::seconds> ttl;
};

/// The object's name from the path.
Asked<std::string> object_of(const Request& request) {
    std::string object;
    if (!http_server::percent_decode(request.rest, object)) {
        return std::unexpected(http_server::problem(
            400,
            "invalid-input",
            "a % in the path must be followed by two hexadecimal digits",
            "object"
        ));
    }
    if (object.size() > tokens::longest_name_bytes) {
        return std::unexpected(http_server::problem(
            414,
            "name-too-long",
            fmt::format(
                "the object name has {} bytes, the most is {}",
                object.size(),
                tokens::longest_name_bytes
            ),
            "object"
        ));
    }
    if (const Result<void> sound = tokens::check_name("object name", object); !sound) {
        return std::unexpected(answer_error(sound.error(), "object"));
    }
    return object;
}

/// Takes apart path and query; the answer that refuses them otherwise.
Asked<AboutObject> read_asked(const TokenCounters& counters, const Request& request) {
    Asked<std::string> object = object_of(request);
    if (!object) {
        return std::unexpected(std::move(object).error());
    }
    const Asked<const CounterConfig*> config = counter_parameter(request, counters);
    if (!config) {
        return std::unexpected(config.error());
    }
    const auto ttl = ttl_parameter(request, **config);
    if (!ttl) {
        return std::unexpected(ttl.error());
    }
    return AboutObject{.config = *config, .object = *std::move(object), .ttl = *ttl};
}

Response answer(const Request& request, const AboutObject& asked, const Result<Count>& count) {
    return count ? answer_count(request, asked.object, asked.config->name, *count)
                 : answer_error(count.error());
}

/// The object is not in memory: waits until it is.
Task<> put_and_wait(TokenCounters* counters, Exchange* exchange, AboutObject asked) {
    auto start = [counters, exchange, &asked](tokens::CountDone done) {
        counters->put(
            *asked.config, asked.object, exchange->request().body, asked.ttl, std::move(done)
        );
    };
    const Result<Count> count = co_await runtime::await_callback<Result<Count>>(std::move(start));
    exchange->response() = answer(exchange->request(), asked, count);
}

Task<> get_and_wait(TokenCounters* counters, Exchange* exchange, AboutObject asked) {
    auto start = [counters, &asked](tokens::CountDone done) {
        counters->get(*asked.config, asked.object, std::move(done));
    };
    const Result<Count> count = co_await runtime::await_callback<Result<Count>>(std::move(start));
    exchange->response() = answer(exchange->request(), asked, count);
}

std::optional<Task<>> put_token(TokenCounters& counters, Exchange& exchange) {
    const Request& request = exchange.request();
    Asked<AboutObject> asked = read_asked(counters, request);
    if (!asked) {
        exchange.response() = std::move(asked).error();
        return std::nullopt;
    }
    if (!request.header("content-encoding").empty()) {
        exchange.response() = http_server::problem(
            415, "unsupported-encoding", "send the token as it is", "Content-Encoding"
        );
        return std::nullopt;
    }
    if (request.body.size() > tokens::longest_name_bytes) {
        exchange.response() = http_server::problem(
            413,
            "token-too-long",
            fmt::format(
                "the token has {} bytes, the most is {}",
                request.body.size(),
                tokens::longest_name_bytes
            ),
            "token"
        );
        return std::nullopt;
    }
    if (request.body.empty()) {
        exchange.response() = http_server::problem(
            400, "invalid-input", "the body, which is the token, is empty", "token"
        );
        return std::nullopt;
    }
    const auto count = counters.put_now(*asked->config, asked->object, request.body, asked->ttl);
    if (!count) {
        return put_and_wait(&counters, &exchange, *std::move(asked));
    }
    exchange.response() = answer(request, *asked, *count);
    return std::nullopt;
}

std::optional<Task<>> get_count(TokenCounters& counters, Exchange& exchange) {
    Asked<AboutObject> asked = read_asked(counters, exchange.request());
    if (!asked) {
        exchange.response() = std::move(asked).error();
        return std::nullopt;
    }
    const auto count = counters.get_now(*asked->config, asked->object);
    if (!count) {
        return get_and_wait(&counters, &exchange, *std::move(asked));
    }
    exchange.response() = answer(exchange.request(), *asked, *count);
    return std::nullopt;
}

}  // namespace

void add_counter_routes(http_server::Router& router, TokenCounters& counters) {
    router.add(Method::put, "/api/v1/counter/{object}", guarded([&counters](Exchange& exchange) {
                   return put_token(counters, exchange);
               }));
    router.add(Method::get, "/api/v1/counter/{object}", guarded([&counters](Exchange& exchange) {
                   return get_count(counters, exchange);
               }));
    router.add(Method::post, "/api/v1/counter", guarded([&counters](Exchange& exchange) {
                   return std::optional{put_token_batch(&counters, &exchange)};
               }));
}

}  // namespace footfall::api
