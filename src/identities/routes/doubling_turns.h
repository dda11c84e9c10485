#pragma once

#include "foundation/seldom_log.h"
#include "identities/identities.h"
#include "identities/index_doubling.h"
#include "runtime/turns.h"

#include <chrono>
#include <cstddef>
#include <stop_token>

namespace footfall::identities::routes {

/// Doubles the index of networks whose partitions have become too large, on a thread of its own.
/// Of several processes that one does it for a network which is told the lane of its name: another
/// that does it as well, as lanes change hands, only does it twice.
///
/// Thread-safe. What it is given must outlive it, and the store be open until stop().
class DoublingTurns {
public:
    /// The first turn begins at once.
    DoublingTurns(Identities& identities, std::size_t partition_bytes, bool shared);

    DoublingTurns(const DoublingTurns&) = delete;
    DoublingTurns& operator=(const DoublingTurns&) = delete;

    ~DoublingTurns() { stop(); }

    /// Ends the thread within a page; what was begun is gone on with after the next start.
    /// Idempotent.
    void stop() { turns_.stop(); }

    const IndexDoubling& doubling() const { return doubling_; }

private:
    std::chrono::milliseconds turn(const std::stop_token& stop);

    IndexDoubling doubling_;
    SeldomLog troubles_{std::chrono::minutes{1}};
    runtime::Turns turns_;  // last: ends before what it uses
};

}  // namespace footfall::identities::routes
