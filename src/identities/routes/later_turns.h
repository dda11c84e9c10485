#pragma once

#include "foundation/result.h"
#include "foundation/seldom_log.h"
#include "identities/identities.h"
#include "identities/settling_later.h"
#include "runtime/turns.h"

#include <chrono>
#include <optional>
#include <stop_token>

namespace footfall::identities::routes {

/// Settles behind the answers, on a thread of its own, what hangs together with more than is looked
/// at before one.
///
/// Thread-safe. What it is given must outlive it, and the store be open until stop().
class LaterTurns {
public:
    explicit LaterTurns(Identities& identities) : identities_{&identities}, later_{identities} {}

    LaterTurns(const LaterTurns&) = delete;
    LaterTurns& operator=(const LaterTurns&) = delete;

    ~LaterTurns() { stop(); }

    /// Lists what is noted, so that answers know it from now on, and begins. Failures: the store's.
    Result<void> start();

    /// Ends the thread; what is still noted is after the next start. Idempotent.
    void stop();

    const SettlingLater& later() const { return later_; }

private:
    std::chrono::milliseconds turn(const std::stop_token& stop);

    Identities* identities_;
    SettlingLater later_;
    std::chrono::steady_clock::time_point next_look_;  ///< By the one thread.
    SeldomLog troubles_{std::chrono::minutes{1}};
    std::optional<runtime::Turns> turns_;  // last: ends before what it uses
};

}  // namespace footfall::identities::routes
