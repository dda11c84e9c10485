#pragma once

#include "http_server/server.h"
#include "metrics/metrics.h"
#include "runtime/io_threads.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace footfall::webhooks {

/// What a receiver was sent.
struct Received {
    std::string id;
    std::string timestamp;
    std::string signature;
    std::string body;
};

/// Somebody else's server, on loopback: keeps what it is sent at /hook, and answers what the test
/// says.
class TestReceiver {
public:
    using Response = http_server::Response;
    using Answer = std::function<Response(const Received&)>;

    TestReceiver() {
        router_.add(
            http_server::Method::post,
            "/hook",
            [this](http_server::Exchange& exchange) -> std::optional<runtime::Task<>> {
                take(exchange);
                return std::nullopt;
            }
        );
        http_server::ServerOptions options{.port = 0};
        options.outcome_unknown = [] { return Response{.status = 503}; };
        server_ = std::make_unique<http_server::Server>(
            threads_, router_, gate_, metrics_, std::move(options)
        );
        threads_.start();
        port_ = server_->start().value();
    }

    TestReceiver(const TestReceiver&) = delete;
    TestReceiver& operator=(const TestReceiver&) = delete;

    ~TestReceiver() {
        server_->drain(std::chrono::seconds{1});
        threads_.stop();
    }

    std::string url() const { return fmt::format("http://127.0.0.1:{}/hook", port_); }

    void answer(Answer answer) {
        const std::lock_guard lock{mutex_};
        answer_ = std::move(answer);
    }

    std::vector<Received> received() const {
        const std::lock_guard lock{mutex_};
        return received_;
    }

private:
    class Open final : public net::Gate {
    public:
        bool open(std::uint64_t /*position*/) const override { return true; }

        void when_decided(std::uint64_t /*at*/, std::move_only_function<void()> decided) override {
            decided();
        }
    };

    void take(http_server::Exchange& exchange) {
        const http_server::Request& request = exchange.request();
        Received received{
            .id = std::string{request.header("webhook-id")},
            .timestamp = std::string{request.header("webhook-timestamp")},
            .signature = std::string{request.header("webhook-signature")},
            .body = std::string{request.body}
        };
        const std::lock_guard lock{mutex_};
        exchange.response() = answer_(received);
        received_.push_back(std::move(received));
    }

    runtime::IoThreads threads_{1};
    metrics::Metrics metrics_;
    Open gate_;
    http_server::Router router_;
    std::unique_ptr<http_server::Server> server_;
    std::uint16_t port_ = 0;
    mutable std::mutex mutex_;
    Answer answer_ = [](const Received&) { return Response{}; };  ///< Guarded by mutex_.
    std::vector<Received> received_;                              ///< Guarded by mutex_.
};

}  // namespace footfall::webhooks
