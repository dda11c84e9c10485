#pragma once

#include "api/front_door.h"
#include "foundation/check.h"
#include "foundation/clock.h"
#include "http_server/router.h"
#include "keys/key_registry.h"
#include "keys/schema.h"
#include "keys/sessions.h"
#include "runtime/task.h"
#include "storage/memory_store.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace footfall::api {

/// An exchange of a handler that answers at once.
class OneExchange final : public http_server::Exchange {
public:
    explicit OneExchange(http_server::Request request) : request_{std::move(request)} {}

    const http_server::Request& request() const override { return request_; }

    http_server::Response& response() override { return response_; }

    std::string& scratch() override { return scratch_; }

    runtime::Task<bool> send_part(std::string) override { co_return false; }

    runtime::Task<bool> next_second() override { co_return false; }

    std::function<void()> waker() override {
        return [] {};
    }

    std::stop_token client_left() override { return left_.get_token(); }

    /// Nobody waits for the answer any more.
    void leave() { left_.request_stop(); }

private:
    std::stop_source left_;
    http_server::Request request_;
    http_server::Response response_;
    std::string scratch_;
};

/// What `router` answers to a request, of which the handler waits for nothing; 404 without one.
inline http_server::Response ask(const http_server::Router& router, http_server::Request request) {
    const http_server::Endpoint* const endpoint = router.find(request);
    if (endpoint == nullptr) {
        return {.status = 404};
    }
    if (auto refusal = endpoint->refuse(request)) {
        return *std::move(refusal);
    }
    OneExchange exchange{std::move(request)};
    CHECK(!endpoint->handler(exchange), "a handler that answers at once");
    return std::move(exchange.response());
}

/// A router of which handlers may wait, and a thread's work that they wait in: that of who asks.
class WaitingRouter {
public:
    /// What is answered once the handler has ended; 404 without one.
    http_server::Response ask(http_server::Request request) {
        const http_server::Endpoint* const endpoint = router.find(request);
        if (endpoint == nullptr) {
            return {.status = 404};
        }
        if (auto refusal = endpoint->refuse(request)) {
            return *std::move(refusal);
        }
        OneExchange exchange{std::move(request)};
        await(endpoint->handler, exchange);
        return std::move(exchange.response());
    }

    /// Has a handler answer an exchange, to its end.
    void await(const http_server::Handler& handler, OneExchange& exchange) {
        if (auto task = handler(exchange)) {
            runtime::spawn(context_.get_executor(), "test", *std::move(task));
            context_.run();
            context_.restart();
        }
    }

    /// Is done once the handler waits.
    void later(std::function<void()> work) { boost::asio::post(context_, std::move(work)); }

    http_server::Router router;

private:
    boost::asio::io_context context_{1};
};

/// API keys in a store of their own.
class KeyWorld {
public:
    /// Adds a key; answers its text.
    std::string add(
        const char* name, const char* scopes, std::optional<Instant> expires = std::nullopt
    ) {
        return keys->add(name, *keys::Scopes::parse(scopes), expires).value().text;
    }

    std::string add(
        const char* name, keys::Party party, std::optional<Instant> expires = std::nullopt
    ) {
        return keys->add(name, std::move(party), expires).value().text;
    }

    static constexpr std::array<const storage::Table*, 1> tables{&keys::api_key_table};

    ManualClock clock{Instant{std::chrono::hours{480'000}}};
    storage::MemoryStore store{tables, clock};
    std::unique_ptr<keys::KeyRegistry> keys = *keys::KeyRegistry::open(store, clock);
    keys::Sessions sessions{clock};
    Doorkeeper keeper{*keys, sessions};
};

}  // namespace footfall::api
