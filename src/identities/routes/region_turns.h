#pragma once

#include "foundation/seldom_log.h"
#include "identities/following.h"
#include "identities/identities.h"
#include "runtime/turns.h"

#include <chrono>
#include <stop_token>
#include <string>

namespace footfall::identities::routes {

/// Follows what is said in other regions, on a thread of its own, where lanes are told.
///
/// Thread-safe. What it is given must outlive it, and the store be open until stop().
class RegionTurns {
public:
    /// The first turn begins at once.
    RegionTurns(Identities& identities, std::string region);

    RegionTurns(const RegionTurns&) = delete;
    RegionTurns& operator=(const RegionTurns&) = delete;

    ~RegionTurns() { stop(); }

    /// Ends the thread; what is not followed yet is after the next start. Idempotent.
    void stop() { turns_.stop(); }

    const Following& following() const { return following_; }

private:
    std::chrono::milliseconds turn(const std::stop_token& stop);

    Following following_;
    SeldomLog troubles_{std::chrono::minutes{1}};
    runtime::Turns turns_;  // last: ends before what it uses
};

}  // namespace footfall::identities::routes
