#pragma once

#include "cli/demo_client.h"
#include "foundation/clock.h"
#include "foundation/result.h"

#include <array>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

namespace footfall::cli {

/// A made-up machine of the demo's site.
struct DemoHost {
    std::string_view name;
    std::string_view region;
};

std::span<const DemoHost> demo_hosts();

/// What is measured at each of them: "site.requests".
std::span<const std::string_view> demo_figures();

/// What a figure of a host was at a moment: more by day than at night, a spike now and then. A pure
/// function: the same past, however often it is told.
double demo_value(std::size_t host, std::size_t figure, Instant at);

/// Points of all figures of all hosts, `step` apart, from `from` to before `until`, as KairosDB's
/// clients send them.
std::string demo_points(Instant from, Instant until, std::chrono::seconds step);

/// Fills a server with what machines of a site measure, by HTTP as KairosDB's clients do: two days
/// by the minute, then every ten seconds. Owns one thread, which tries again when the server is
/// away, and gives up where it may not send; ends when destroyed.
class DemoMetrics {
public:
    /// `clock` must outlive it.
    DemoMetrics(http_server::ServerUrl server, const Clock& clock);

private:
    void run(const std::stop_token& stop);
    Result<void> send_past(const std::stop_token& stop);
    Result<void> send(const std::string& points);

    const Clock* clock_;
    DemoClient client_;
    std::jthread thread_;  // last: ends before what it uses
};

}  // namespace footfall::cli
