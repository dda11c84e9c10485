#pragma once

#include "api/front_door.h"
#include "foundation/check.h"
#include "foundation/clock.h"
#include "http_server/router.h"
#include "keys/key_registry.h"
#include "keys/schema.h"
#include "keys/sessions.h"
#include "storage/memory_store.h"

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

    std::stop_token client_left() override { return {}; }

private:
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

/// API keys in a store of their own.
class KeyWorld {
public:
    /// Adds a key; answers its text.
    std::string add(
        const char* name, const char* scopes, std::optional<Instant> expires = std::nullopt
    ) {
        return keys->add(name, *keys::Scopes::parse(scopes), expires).value().text;
    }

    static constexpr std::array<const storage::Table*, 1> tables{&keys::api_key_table};

    ManualClock clock{Instant{std::chrono::hours{480'000}}};
    storage::MemoryStore store{tables, clock};
    std::unique_ptr<keys::KeyRegistry> keys = *keys::KeyRegistry::open(store, clock);
    keys::Sessions sessions{clock};
    Doorkeeper keeper{*keys, sessions};
};

}  // namespace footfall::api
