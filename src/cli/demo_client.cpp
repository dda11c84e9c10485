#include "cli/demo_client.h"

#include "foundation/log.h"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

namespace footfall::cli {

DemoClient::DemoClient(http_server::ServerUrl server) : client_{std::move(server)} {}

Result<std::string> DemoClient::ask(
    http_server::Method method,
    std::string_view target,
    std::string_view body,
    std::string_view content_type
) {
    std::vector<std::pair<std::string, std::string>> headers;
    if (!body.empty()) {
        headers.emplace_back("Content-Type", content_type);
    }
    TRY(http_server::ClientResponse response, client_.send(method, target, body, headers));
    constexpr int redirects_from = 300;
    constexpr int failures_from = 500;
    if (response.status >= redirects_from) {
        return fail(
            response.status < failures_from ? ErrorKind::invalid_input : ErrorKind::unavailable,
            fmt::format("{} was answered {}: {}", target, response.status, response.body)
        );
    }
    return std::move(response.body);
}

void wait_until(const std::stop_token& stop, std::chrono::steady_clock::time_point due) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock{mutex};
    wake.wait_until(lock, stop, due, [] { return false; });
}

bool told_if_not(std::string_view part, const Result<void>& done, const std::stop_token& stop) {
    constexpr std::chrono::seconds pause{10};
    if (!done && !stop.stop_requested()) {
        log(LogLevel::warning, "demo {}: {}", part, done.error().message);
        wait_until(stop, std::chrono::steady_clock::now() + pause);
    }
    return done.has_value();
}

std::chrono::steady_clock::duration seconds_of(double seconds) {
    return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(seconds)
    );
}

}  // namespace footfall::cli
