#pragma once

#include "test_support/footfall_process.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <thread>

namespace footfall::cluster_test {

/// Sends events to a server without end, as fast as it answers: each once more until it is
/// acknowledged. Event n is about object n modulo 40, by an actor of its own.
class EventStream {
public:
    /// `server` must outlive it; it may be killed and started again at the same port.
    explicit EventStream(const test_support::FootfallProcess& server);
    EventStream(const EventStream&) = delete;
    EventStream& operator=(const EventStream&) = delete;
    ~EventStream();

    /// Ends once the last event is acknowledged.
    void stop();

    std::uint64_t acknowledged() const { return acknowledged_.load(); }

    /// Batches that got no good answer and were sent again.
    std::uint64_t failures() const { return failures_.load(); }

    /// How many events of each object were acknowledged. After stop().
    std::map<std::string, std::uint64_t> of_objects() const;

private:
    void run(const std::stop_token& stop);

    const test_support::FootfallProcess* server_;
    std::atomic<std::uint64_t> acknowledged_ = 0;
    std::atomic<std::uint64_t> failures_ = 0;
    std::jthread thread_;
};

}  // namespace footfall::cluster_test
