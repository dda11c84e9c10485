#pragma once

#include "cli/demo_client.h"
#include "cli/demo_customers.h"
#include "foundation/clock.h"
#include "foundation/random.h"
#include "foundation/result.h"
#include "http_server/client.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <thread>

namespace footfall::cli {

/// Fills a server with demo_customers by HTTP, as five networks would: what they said in thirty
/// days, once for a server; then matches as they happen. Every minute two customers are taken for
/// one, which is undone soon after, and once an hour somebody is erased. Owns one thread, which
/// tries again when the server is away, and gives up where it may not say who is who; ends when
/// destroyed.
class DemoIdentities {
public:
    /// `clock` must outlive it.
    DemoIdentities(http_server::ServerUrl server, const Clock& clock, std::uint64_t seed);

private:
    void run(const std::stop_token& stop);
    Result<void> set_up(const std::stop_token& stop);
    Result<bool> is_set_up();
    Result<void> mix_up();
    Result<void> undo();
    Result<void> erase_one();
    Result<std::string> sid_of(const events::Identifier& id);

    const Clock* clock_;
    DemoClient client_;
    DemoMatches matches_;
    Random random_;                                      ///< Who is erased next.
    std::size_t mix_up_ = 0;                             ///< Which comes next, or is to be undone.
    std::array<std::string, demo_mix_ups> decisions_{};  ///< By which each was undone; "": not yet.
    std::jthread thread_;                                // last: ends before what it uses
};

}  // namespace footfall::cli
