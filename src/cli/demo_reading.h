#pragma once

#include "cli/demo_client.h"
#include "cli/demo_people.h"
#include "foundation/clock.h"
#include "foundation/random.h"
#include "foundation/result.h"
#include "http_server/client.h"

#include <cstdint>
#include <deque>
#include <stop_token>
#include <thread>

namespace footfall::cli {

/// Fills a server with demo_people() by HTTP, as an application would: what they said, whom they
/// list, and two days of reads, once for a server; then reads as they happen, and now and then
/// somebody who takes one back or pauses for some minutes. Owns one thread, which tries again when
/// the server is away, and gives up where it may not say who reads; ends when destroyed.
class DemoReading {
public:
    /// `clock` must outlive it.
    DemoReading(http_server::ServerUrl server, const Clock& clock, std::uint64_t seed);

private:
    void run(const std::stop_token& stop);
    Result<void> set_up(const std::stop_token& stop);
    Result<bool> is_set_up();
    Result<void> say(std::span<const DemoPerson> people);
    Result<void> send_past(const std::stop_token& stop);
    Result<void> send_read();
    Result<void> take_back();
    Result<void> pause_somebody();

    const Clock* clock_;
    DemoClient client_;
    DemoReads reads_;
    Random random_;
    std::deque<DemoRead> lately_;  ///< What may be taken back, the oldest first.
    std::jthread thread_;          // last: ends before what it uses
};

}  // namespace footfall::cli
