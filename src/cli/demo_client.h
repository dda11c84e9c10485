#pragma once

#include "foundation/result.h"
#include "http_server/client.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>

namespace footfall::cli {

/// Asks a server as the demo does: whatever is not done is an error, with the server's own words;
/// `invalid_input` where asking again will not help. For one thread.
class DemoClient {
public:
    explicit DemoClient(http_server::ServerUrl server);

    /// The answer's body. `content_type` is said of a body only.
    Result<std::string> ask(
        http_server::Method method,
        std::string_view target,
        std::string_view body = {},
        std::string_view content_type = "application/json"
    );

    /// Whatever the answer is.
    http_server::Client& client() { return client_; }

private:
    http_server::Client client_;
};

/// Waits until `due`, or until `stop` is asked to.
void wait_until(const std::stop_token& stop, std::chrono::steady_clock::time_point due);

/// Whether a part of the demo was done; if not, says why, and waits a while.
bool told_if_not(std::string_view part, const Result<void>& done, const std::stop_token& stop);

std::chrono::steady_clock::duration seconds_of(double seconds);

}  // namespace footfall::cli
