#pragma once

#include "audit/acts.h"
#include "foundation/result.h"
#include "foundation/seldom_log.h"
#include "identities/expired_links.h"
#include "identities/identities.h"
#include "identities/settling_anew.h"
#include "intake/collector.h"
#include "runtime/turns.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>

namespace footfall::identities::routes {

/// Keeps guards up to date on a thread of its own: records those of the configuration once, where
/// the newest that are recorded are others; looks every second which hold; and settles profiles
/// anew behind the answers where others hold than those they were settled under. Also settles those
/// of which something has ended (ExpiredLinks).
///
/// Thread-safe. What it is given must outlive it, and the store be open until stop().
class GuardTurns {
public:
    /// `acts`: where it records that others hold from now on; null: nowhere.
    GuardTurns(
        Identities& identities, intake::Collector& collector, Guards configured, audit::Acts* acts
    );

    GuardTurns(const GuardTurns&) = delete;
    GuardTurns& operator=(const GuardTurns&) = delete;

    ~GuardTurns() { stop(); }

    void start();

    /// Ends the thread; what is left to settle anew is gone on with after the next start.
    /// Idempotent.
    void stop();

    /// Parts of the index whose profiles may not follow the newest guards yet.
    std::size_t parts_left() const { return parts_left_.load(); }

    /// Statements that had ended when they were looked at.
    std::uint64_t ended() const { return ended_.ended(); }

private:
    std::chrono::milliseconds look(const std::stop_token& stop);
    void complain(std::string_view what, const Error& error);
    Result<void> record();
    Result<std::vector<std::uint32_t>> lanes_without(GuardsVersion version);

    Identities* identities_;
    intake::Collector* collector_;
    const Guards configured_;
    audit::Acts* acts_;
    SettlingAnew anew_;
    ExpiredLinks ended_;
    bool is_recorded_ = false;  ///< By the one thread, as this:
    GuardsVersion recorded_;    ///< What it said to the log.
    SeldomLog troubles_{std::chrono::minutes{1}};
    /// Some, until those of the configuration stand in rows, and it was looked once: nobody knows
    /// before whether profiles follow the newest guards.
    std::atomic<std::size_t> parts_left_ = 1;
    std::optional<runtime::Turns> turns_;  // last: ends before what it uses
};

}  // namespace footfall::identities::routes
