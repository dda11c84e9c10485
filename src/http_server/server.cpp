#include "http_server/server.h"

#include "http_server/connection.h"
#include "http_server/http_protocol.h"
#include "net/connection_set.h"

#include <utility>

namespace footfall::http_server {
namespace {

net::ServerOptions socket_options(const ServerOptions& options) {
    return {
        .address = options.address,
        .port = options.port,
        .chosen_with = "--listen ADDRESS:PORT",
        .connections_max = options.connections_max,
        .patience =
            {.idle = options.idle_timeout,
             .progress = options.request_timeout,
             .progress_bytes = options.request_bytes_min,
             .bytes_a_second = options.bytes_a_second_min}
    };
}

metrics::Counter errors(metrics::Metrics& metrics, std::string_view status) {
    return metrics.counter(
        "footfall_http_errors_total",
        "Answers that say no, 4xx, or that something failed, 5xx.",
        {{"status", status}}
    );
}

}  // namespace

Server::Server(
    runtime::IoThreads& threads,
    const Router& router,
    net::Gate& gate,
    metrics::Metrics& metrics,
    ServerOptions options
)
    : router_{&router},
      gate_{&gate},
      options_{std::make_shared<const ServerOptions>(std::move(options))},
      requests_{metrics.counter("footfall_http_requests_total", "Requests answered.")},
      refusals_{errors(metrics, "4xx")},
      failures_{errors(metrics, "5xx")},
      refused_connections_{metrics.counter(
          "footfall_http_connections_refused_total",
          "Connections turned away because the limit was reached."
      )},
      memory_{std::make_shared<Memory>(options_->memory, metrics)},
      server_{threads, &gate, socket_options(*options_)} {}

Server::~Server() = default;

Result<std::uint16_t> Server::start() {
    return server_.start([this] {
        return std::make_unique<HttpProtocol>(HttpContext{
            .router = router_,
            .gate = gate_,
            .options = options_,
            .requests = requests_,
            .refusals = refusals_,
            .failures = failures_,
            .refused_connections = refused_connections_,
            .memory = memory_
        });
    });
}

std::size_t Server::drain(std::chrono::milliseconds patience) {
    return server_.drain(patience);
}

runtime::AccountAudit Server::audit_memory() {
    runtime::AccountAudit audit;
    server_.on_each_thread([&](net::ConnectionSet& set) {
        for (const net::Connection* connection : set.all()) {
            audit.counted += static_cast<const Connection*>(connection)->counted_bytes();
        }
        audit.booked = memory_->held();
    });
    return audit;
}

}  // namespace footfall::http_server
