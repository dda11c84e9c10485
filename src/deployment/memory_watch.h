#pragma once

#include "metrics/metrics.h"
#include "runtime/accounted_lanes.h"
#include "runtime/memory_shares.h"
#include "runtime/turns.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace footfall::deployment {

/// Looks after memory: each second it lets the shares of jobs follow their use, and has the heap
/// give back what was freed when more is resident than usual; each minute it counts a lane of each
/// account anew. A difference is a bug: it is logged, and counted in
/// `footfall_account_differences_total`. A thread of its own; all that it is given must outlive it.
class MemoryWatch {
public:
    /// `memory_bytes`: what the whole program may use. `taken`: how much of what jobs share is
    /// taken by what nobody can do without; asked each second.
    MemoryWatch(
        std::size_t memory_bytes,
        std::function<std::size_t()> taken,
        runtime::MemoryShares& shares,
        std::vector<runtime::AuditedAccount> accounts,
        metrics::Metrics& metrics
    );

    /// Counts a lane of each account anew; the next one the next time.
    void audit();

private:
    const std::size_t resident_bytes_high_;  ///< Above it the heap keeps nothing for later.
    const std::function<std::size_t()> taken_;
    runtime::MemoryShares* shares_;
    std::vector<runtime::AuditedAccount> accounts_;
    std::vector<metrics::Counter> differences_;  ///< Of each account.
    metrics::Gauge resident_;
    std::size_t next_lane_ = 0;
    int periods_ = 0;
    std::optional<runtime::Turns> turns_;  // last: ends before what it uses
};

}  // namespace footfall::deployment
