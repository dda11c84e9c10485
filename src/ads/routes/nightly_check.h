#pragma once

#include "ads/ledger.h"
#include "ads/ledger_check.h"
#include "foundation/result.h"
#include "intake/intake.h"
#include "runtime/turns.h"

#include <chrono>
#include <mutex>
#include <optional>
#include <stop_token>

namespace footfall::ads::routes {

/// Holds the ledger to its log once a night, as `footfall verify ads` does, on a thread of its own
/// in the background; writes what it found into the ledger_check table, and nothing else. What is
/// compared is all that rows are stored of when it begins, all lanes, whoever counts them. Where
/// several processes answer questions, the one that first finds it due does it for all.
///
/// Thread-safe. What it is given must outlive it, and the store be open until stop().
class NightlyCheck {
public:
    NightlyCheck(Ledger& ledger, const intake::Intake& intake);

    NightlyCheck(const NightlyCheck&) = delete;
    NightlyCheck& operator=(const NightlyCheck&) = delete;

    ~NightlyCheck() { stop(); }

    void start();

    /// Ends the thread; a check under way ends early, and counts as none. Idempotent.
    void stop();

    /// Checks now, and writes what it found. Blocks, as long as the log is.
    Result<void> check(const std::stop_token& stop = {});

    /// The last one, as this process knows: what others found is there a minute later.
    LedgerCheck last() const;

private:
    std::chrono::milliseconds look(const std::stop_token& stop);
    Result<void> check_if_due(const std::stop_token& stop);
    Result<void> keep(const LedgerCheck& check);

    Ledger* ledger_;
    const intake::Intake* intake_;
    const Instant up_;  ///< When this process began to look.
    mutable std::mutex mutex_;
    LedgerCheck last_;                     ///< Guarded by mutex_.
    std::optional<runtime::Turns> turns_;  // last: ends before what it uses
};

}  // namespace footfall::ads::routes
