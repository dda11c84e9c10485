#pragma once

#include "metrics/metrics.h"
#include "runtime/accounted_lanes.h"
#include "runtime/memory_shares.h"
#include "runtime/turns.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace footfall::deployment {

/// Looks after memory: lets the shares of jobs follow their use, each second, and counts a lane of
/// each account anew, each minute. A difference is a bug: it is logged, and counted in
/// `footfall_account_differences_total`. A thread of its own; all that it is given must outlive it.
class MemoryWatch {
public:
    MemoryWatch(
        runtime::MemoryShares& shares,
        std::vector<runtime::AuditedAccount> accounts,
        metrics::Metrics& metrics
    );

    /// Counts a lane of each account anew; the next one the next time.
    void audit();

private:
    runtime::MemoryShares* shares_;
    std::vector<runtime::AuditedAccount> accounts_;
    std::vector<metrics::Counter> differences_;  ///< Of each account.
    std::size_t next_lane_ = 0;
    int periods_ = 0;
    std::optional<runtime::Turns> turns_;  // last: ends before what it uses
};

}  // namespace footfall::deployment
