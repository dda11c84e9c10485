#pragma once

#include "foundation/result.h"
#include "http_server/memory.h"
#include "http_server/request_parser.h"
#include "http_server/router.h"
#include "metrics/metrics.h"
#include "net/gate.h"
#include "net/server.h"
#include "runtime/accounted_lanes.h"
#include "runtime/io_threads.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace footfall::http_server {

struct ServerOptions {
    std::string address = "127.0.0.1";
    std::uint16_t port = 8080;  ///< 0: any free one.
    ParserLimits limits;
    std::size_t connections_max = 10'000;
    /// Of requests and answers at the same time; for more there is 503, or a closed connection.
    MemoryLimits memory = MemoryLimits::of(256 << 20, ParserLimits{}.body_bytes);
    std::chrono::seconds idle_timeout{75};  ///< Between two requests of a connection.
    /// A client has so long to send a request, from its first byte, or to take an answer; and again
    /// so long each time `request_bytes_min` more have passed.
    std::chrono::seconds request_timeout{30};
    std::size_t request_bytes_min = 32 << 10;
    /// And altogether no longer than that time and a second for so many bytes.
    std::size_t bytes_a_second_min = 32 << 10;
    /// What is answered in place of an answer whose Gate will not open.
    std::function<Response()> outcome_unknown;
};

/// Serves a Router over HTTP/1.1, by a net::Server: read once, answer every complete request in the
/// buffer, write once. Pipelined answers keep their order. Knows no product word.
///
/// Limits: header, body, connections, idle time, time without progress, time altogether, memory; a
/// handler's own time is the handler's business. start() and drain() once each, from the thread
/// that owns it, while `threads` run. `threads` outlives it; `router` and `gate` outlive the
/// contexts of `threads`, where a connection that was cut off may still wait for its handler or the
/// gate.
class Server {
public:
    Server(
        runtime::IoThreads& threads,
        const Router& router,
        net::Gate& gate,
        metrics::Metrics& metrics,
        ServerOptions options
    );
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// Binds and listens; answers the port. `conflict`: the port is taken, and how to choose
    /// another.
    Result<std::uint16_t> start();

    /// Takes no new connections, lets each answer what it has begun, and closes it; waits for that
    /// at most `patience`. Answers how many were cut off.
    std::size_t drain(std::chrono::milliseconds patience);

    /// Has the gauges of memory say what is held now.
    void tell_figures() const { memory_->tell(); }

    /// What is booked of `memory`, and the same counted anew: for tests. Both are of one moment if
    /// there is one io thread and no handler is at work.
    runtime::AccountAudit audit_memory();

private:
    const Router* router_;
    const net::Gate* gate_;
    const std::shared_ptr<const ServerOptions> options_;  // shared with the connections
    metrics::Counter requests_;
    metrics::Counter refusals_;
    metrics::Counter failures_;
    metrics::Counter refused_connections_;
    const std::shared_ptr<Memory> memory_;
    net::Server server_;
};

}  // namespace footfall::http_server
