#pragma once

#include "histogram.h"
#include "workload.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::scale {

/// What the PUTs of some seconds took.
struct Window {
    double start = 0;  ///< Seconds since the load began.
    double seconds = 0;
    std::uint64_t puts = 0;
    std::uint64_t refused = 0;  ///< 503: sent again until it was taken, and timed from the start.
    double p50_ms = 0;
    double p99_ms = 0;
    double max_ms = 0;
    /// The share of the cores' time that the hypervisor gave to other machines.
    double stolen = 0;
};

/// Puts tokens over many connections from one thread, cheaply: one epoll, nothing allocated for a
/// request. With a rate, requests are due on a fixed schedule and timed from the moment they were
/// due, so a server that stalls cannot hide it; without, each connection sends as soon as it was
/// answered. A request that the server was too full for is sent again.
class PutLoad {
public:
    struct Options {
        std::uint16_t port = 0;
        std::size_t connections = 64;
        std::optional<double> rate;  ///< Requests a second; absent: closed loop.
        std::chrono::seconds window{10};
        /// The next PUT; absent: no more. Called on the load's thread, as the next one.
        std::function<std::optional<Put>()> next;
        std::function<void(const Put&)> acknowledged;
    };

    explicit PutLoad(Options options) : options_{std::move(options)} {}

    /// Puts until told to stop or `next` has no more; then waits for what is under way. An answer
    /// that is neither 200 nor 503, and a server that is gone, end it with a failure().
    void run(const std::stop_token& stop);

    /// The windows that are over. Thread-safe.
    std::vector<Window> windows() const;

    /// "": none. Valid after run().
    const std::string& failure() const { return failure_; }

private:
    class Loop;

    const Options options_;
    mutable std::mutex mutex_;
    std::vector<Window> windows_;  // guarded by mutex_
    std::string failure_;          // of the thread that runs
};

}  // namespace footfall::scale
