#include "cli/demo_metrics.h"

#include "foundation/random.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <numbers>
#include <utility>

namespace footfall::cli {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using Hours = std::chrono::duration<double, std::ratio<3600>>;

constexpr std::array hosts{
    DemoHost{.name = "web-1", .region = "north"},
    DemoHost{.name = "web-2", .region = "north"},
    DemoHost{.name = "web-3", .region = "south"},
    DemoHost{.name = "search-1", .region = "south"}
};
constexpr std::array figures{
    std::string_view{"site.requests"},
    std::string_view{"site.response_ms"},
    std::string_view{"site.errors"},
    std::string_view{"site.memory_mb"}
};

enum Figure : std::size_t { requests, response_ms, errors, memory_mb };

constexpr hours past_told{48};
constexpr hours past_a_request{6};
constexpr seconds step_of_past{60};
constexpr seconds step_of_now{10};

/// Between 0 and 1, the same for the same numbers.
double noise(std::uint64_t host, std::uint64_t figure, std::uint64_t moment) {
    return Random{host * 1'000'003 + figure * 10'007 + moment * 97}.fraction();
}

}  // namespace

std::span<const DemoHost> demo_hosts() {
    return hosts;
}

std::span<const std::string_view> demo_figures() {
    return figures;
}

double demo_value(std::size_t host, std::size_t figure, Instant at) {
    const auto second =
        static_cast<std::uint64_t>(std::chrono::floor<seconds>(at).time_since_epoch().count());
    const double hour =
        std::fmod(std::chrono::duration_cast<Hours>(at.time_since_epoch()).count(), 24);
    const double shape = std::sin((hour - 9) / 24 * 2 * std::numbers::pi);
    const double by_day = 1 + 0.7 * shape;  // most in the afternoon
    const double some = noise(host, figure, second);
    // One host is slow for ten minutes in about a hundred.
    const bool slow = noise(host, figures.size(), second / 600) < 0.01;
    switch (figure) {
        case requests:
            return std::round((40 + 10 * static_cast<double>(host)) * by_day * (0.9 + 0.2 * some));
        case response_ms:
            return std::round((18 + 12 * by_day + 6 * some) * (slow ? 9 : 1) * 10) / 10;
        case errors:
            return std::floor(some * (slow ? 12 : 1.05));
        default: {  // grows until the host is started anew, once a day, each at its own hour
            const double since = std::fmod(hour + 24 - 5 * static_cast<double>(host), 24);
            return std::round(600 + 35 * since + 20 * some);
        }
    }
}

std::string demo_points(Instant from, Instant until, seconds step) {
    std::string body = "[";
    for (std::size_t host = 0; host < hosts.size(); ++host) {
        for (std::size_t figure = 0; figure < figures.size(); ++figure) {
            body += fmt::format(
                R"({}{{"name":"{}","tags":{{"host":"{}","region":"{}"}},"datapoints":[)",
                body.size() > 1 ? "," : "",
                figures[figure],
                hosts[host].name,
                hosts[host].region
            );
            for (Instant at = from; at < until; at += step) {
                body += fmt::format(
                    "{}[{},{}]",
                    at > from ? "," : "",
                    at.time_since_epoch() / std::chrono::milliseconds{1},
                    demo_value(host, figure, at)
                );
            }
            body += "]}";
        }
    }
    return body + "]";
}

DemoMetrics::DemoMetrics(http_server::ServerUrl server, const Clock& clock)
    : clock_{&clock},
      client_{std::move(server)},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

Result<void> DemoMetrics::send(const std::string& points) {
    TRY_VOID(client_.ask(http_server::Method::post, "/api/v1/datapoints", points));
    return {};
}

/// Sent again at each start: points that are there already change nothing.
Result<void> DemoMetrics::send_past(const std::stop_token& stop) {
    const Instant now = std::chrono::floor<minutes>(clock_->now());
    for (Instant from = now - past_told; from < now && !stop.stop_requested();
         from += past_a_request) {
        TRY_VOID(send(demo_points(from, from + past_a_request, step_of_past)));
    }
    return {};
}

void DemoMetrics::run(const std::stop_token& stop) {
    for (Result<void> done = send_past(stop); !told_if_not("metrics", done, stop);
         done = send_past(stop)) {
        if (stop.stop_requested() || done.error().kind == ErrorKind::invalid_input) {
            return;
        }
    }
    auto due = std::chrono::steady_clock::now();
    while (!stop.stop_requested()) {
        const Instant now = Instant{std::chrono::floor<seconds>(clock_->now()).time_since_epoch()};
        const Instant at = now - (now.time_since_epoch() % step_of_now);
        told_if_not("metrics", send(demo_points(at, at + step_of_now, step_of_now)), stop);
        due += step_of_now;
        wait_until(stop, due);
    }
}

}  // namespace footfall::cli
