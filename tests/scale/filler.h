#pragma once

#include "http_server/client.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace footfall::scale {

/// Posts numbered things in batches of lines over several connections, as fast as the server takes
/// them, and holds each answer's `accepted` against the lines that were sent.
class Filler {
public:
    struct Options {
        std::uint16_t port = 0;
        std::size_t connections = 2;
        std::uint64_t things = 0;  ///< Numbered from 0.
        std::uint64_t things_a_batch = 1;
        std::optional<double> rate;  ///< Things a second; absent: as fast as the server takes them.
        /// The lines for things [first, before). Called from all connections' threads.
        std::function<std::string(std::uint64_t first, std::uint64_t before)> lines;
    };

    explicit Filler(Options options) : options_{std::move(options)} {}

    /// Blocks until all is acknowledged. What the server is too full for is sent again; any other
    /// answer throws.
    void run();

    /// Things acknowledged up to now. Thread-safe.
    std::uint64_t done() const { return done_.load(); }

    std::uint64_t lines() const { return lines_.load(); }

    /// How often the server was full.
    std::uint64_t refused() const { return refused_.load(); }

private:
    void run_connection();
    void wait_until_due(std::uint64_t first) const;
    void post(http_server::Client& client, const std::string& lines, std::uint64_t count);

    const Options options_;
    std::chrono::steady_clock::time_point begin_;  // set by run()
    std::atomic<std::uint64_t> next_ = 0;
    std::atomic<std::uint64_t> done_ = 0;
    std::atomic<std::uint64_t> lines_ = 0;
    std::atomic<std::uint64_t> refused_ = 0;
};

}  // namespace footfall::scale
