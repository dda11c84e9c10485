#pragma once

#include "foundation/result.h"
#include "http_server/client.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace footfall::http_server {

/// A POST to one of several servers. May be repeated.
struct Post {
    std::string address;  ///< Of the server, numeric.
    std::uint16_t port = 0;
    std::string target;
    std::string body;
    std::vector<std::pair<std::string, std::string>> headers = {};
};

/// Asks several servers side by side, each over a connection that is kept: as long as the slowest
/// takes, and never longer than the asker's patience. For one thread at a time.
class ClientSet {
public:
    /// Of all servers; when there are more, all that are kept are closed.
    static constexpr std::size_t connections_max = 256;

    /// Of one answer.
    static constexpr std::size_t answer_bytes_max = 32 << 20;

    ClientSet();
    ~ClientSet();
    ClientSet(const ClientSet&) = delete;
    ClientSet& operator=(const ClientSet&) = delete;

    /// Sends all, each to another server, and waits for their answers, whatever their status, in
    /// the order asked. A connection that the server had closed meanwhile is opened again once.
    /// `unavailable`: the server cannot be reached, or went away; `timed_out`: after `patience`.
    std::vector<Result<ClientResponse>> send(
        const std::vector<Post>& posts, std::chrono::milliseconds patience
    );

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace footfall::http_server
