#pragma once

#include "cli/rejects.h"
#include "deployment/deployment.h"
#include "foundation/result.h"
#include "http_server/client.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::cli {

/// A token to be put, and where it was read.
struct SourceToken {
    std::uint64_t line;
    std::string_view object;
    std::string_view token;
    std::optional<std::chrono::seconds> ttl;
};

/// Where imported tokens go: a server, or a data directory. put() keeps the order of each object's
/// tokens; nothing is promised before finish() has answered. For one thread.
class TokenSink {
public:
    virtual ~TokenSink() = default;

    /// Takes a token; may wait for earlier ones. An error ends the import.
    virtual Result<void> put(const SourceToken& token) = 0;

    /// Waits until all that was put is durable.
    virtual Result<void> finish() = 0;

    /// How many tokens were taken so far, new or not.
    virtual std::uint64_t imported() const = 0;
};

/// Sends batches to POST /api/v1/counter. A server that says it is busy is asked again for up to a
/// minute.
std::unique_ptr<TokenSink> make_server_sink(
    http_server::ServerUrl server, const std::string& counter, const RejectLine& reject
);

/// Puts into an open data directory, which must outlive the sink.
Result<std::unique_ptr<TokenSink>> make_directory_sink(
    deployment::Deployment& directory, const std::string& counter, RejectLine reject
);

}  // namespace footfall::cli
