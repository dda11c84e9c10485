#pragma once

#include "foundation/random.h"
#include "foundation/result.h"
#include "http_server/client.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace footfall::cli {

/// One made-up visit.
struct DemoVisit {
    std::string object;
    std::string token;       ///< Who it was.
    std::string_view agent;  ///< What they came with; a few are no people. Lives for ever.

    /// As a line of NDJSON, without a time: it happens when it comes.
    std::string event() const;
};

/// Made-up visitors of a made-up site: hot objects drawn from a Gaussian over a list of pages;
/// people come back, and a third of the visits is to a page the same person has seen lately. A pure
/// function of its seed.
class DemoVisits {
public:
    explicit DemoVisits(std::uint64_t seed);

    DemoVisit next();

    /// How many visits a second there should be, `seconds` after the start: two slow waves
    /// around 90.
    static double rate_at(double seconds);

private:
    double gaussian();

    Random random_;
    std::uint64_t people_ = 500;     ///< Who has been here before.
    std::vector<DemoVisit> recent_;  ///< What people come back to; the oldest is replaced first.
    std::size_t oldest_ = 0;
};

/// Sends DemoVisits to a server by HTTP, as anybody would, at the rate they ask for: each as a
/// token at once, and those of a quarter of a second together as events. Owns one thread, which
/// tries again when the server is away; ends when destroyed.
class DemoTraffic {
public:
    DemoTraffic(http_server::ServerUrl server, std::uint64_t seed);

private:
    void run(const std::stop_token& stop);
    Result<void> send(const DemoVisit& visit);
    Result<void> send_events();

    DemoVisits visits_;
    http_server::Client client_;
    std::string events_;  ///< That are to be sent.
    std::chrono::steady_clock::time_point events_sent_;
    std::jthread thread_;
};

}  // namespace footfall::cli
