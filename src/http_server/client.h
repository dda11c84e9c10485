#pragma once

#include "foundation/result.h"
#include "http_server/request.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::http_server {

/// Where a server is, and what it wants to be shown.
struct ServerUrl {
    std::string host;
    std::uint16_t port = 80;
    std::string authorization = {};  ///< The header of this name, in every request; empty: none.
};

/// Takes "http://127.0.0.1:8080" apart. `invalid_input` with an example otherwise.
Result<ServerUrl> parse_server_url(std::string_view url);

struct ClientResponse {
    int status = 0;
    std::string content_type;
    std::string body;
    /// When to ask again, of a server that is busy; absent unless it says so in seconds.
    std::optional<std::chrono::seconds> retry_after = {};
};

/// A blocking HTTP client for command-line tools and tests: one keep-alive connection, opened when
/// first needed and again after it was closed. Not thread-safe.
class Client {
public:
    explicit Client(ServerUrl server, std::chrono::seconds timeout = std::chrono::seconds{60});
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    Client(Client&&) noexcept;
    Client& operator=(Client&&) noexcept;

    /// Sends a request and waits for its answer, whatever its status. A connection that the server
    /// had closed meanwhile is opened again once; so only for requests that may be repeated.
    /// `unavailable`: the server cannot be reached, or went away; `timed_out`.
    Result<ClientResponse> send(
        Method method,
        std::string_view target,
        std::string_view body = {},
        const std::vector<std::pair<std::string, std::string>>& headers = {}
    );

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

/// `text` with everything but unreserved characters as %XX (RFC 3986): a name as it stands in a
/// path.
std::string percent_encode(std::string_view text);

}  // namespace footfall::http_server
