#pragma once

#include "http_server/memory.h"
#include "http_server/server.h"
#include "metrics/metrics.h"
#include "net/protocol.h"

#include <memory>
#include <string>

namespace footfall::http_server {

/// What the connections of a server share.
struct HttpContext {
    const Router* router;
    const net::Gate* gate;
    std::shared_ptr<const ServerOptions> options;
    metrics::Counter requests;
    metrics::Counter refusals;  ///< Answers of 4xx.
    metrics::Counter failures;  ///< Answers of 5xx.
    metrics::Counter refused_connections;
    std::shared_ptr<Memory> memory;
};

/// HTTP as one io thread speaks it.
class HttpProtocol final : public net::Protocol {
public:
    explicit HttpProtocol(HttpContext context);

    const HttpContext& context() const { return context_; }

    /// See common_lines(): of this second.
    const std::string& common_lines() const { return common_lines_; }

    std::unique_ptr<net::Connection> connect(
        net::Socket socket, std::string peer, net::ConnectionSet& set
    ) override;
    std::string turn_away() override;
    void second_passed() override;

private:
    const HttpContext context_;
    std::string common_lines_;
};

}  // namespace footfall::http_server
