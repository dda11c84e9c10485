#pragma once

#include "foundation/result.h"
#include "http_server/client.h"

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::cli {

/// Waits.
using Pause = std::function<void(std::chrono::seconds)>;

/// Waits in earnest.
void pause_for(std::chrono::seconds time);

/// A client that asks a busy server (429, 503) again, when it says; so only for requests that
/// change nothing more however often they are sent. For one thread.
class PatientClient {
public:
    /// How long a busy server is waited for, a request, and at most without asking again.
    static constexpr std::chrono::seconds patience{60};
    static constexpr std::chrono::seconds longest_pause{10};

    explicit PatientClient(http_server::ServerUrl server, Pause pause = pause_for)
        : client_{std::move(server)}, pause_{std::move(pause)} {}

    /// As http_server::Client::send(); the last answer if the server stays busy.
    Result<http_server::ClientResponse> send(
        http_server::Method method,
        std::string_view target,
        std::string_view body,
        const std::vector<std::pair<std::string, std::string>>& headers
    );

private:
    http_server::Client client_;
    Pause pause_;
};

}  // namespace footfall::cli
