#pragma once

#include "audit/acts.h"
#include "audit/tree.h"
#include "foundation/seldom_log.h"
#include "identities/fact.h"
#include "runtime/turns.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

namespace footfall::identities::routes {

/// Enters facts into the audit log by the roots of their blocks: of each lane, a Merkle root over
/// keyed hashes of the facts that were written since the last entry, in the order of the log. So
/// the log commits to what was said, and nobody learns from it who was.
///
/// Every ten seconds one entry for all lanes. A process that is killed leaves a gap, which shows:
/// the next block of a lane begins behind the end of the one before. Thread-safe; `acts` must
/// outlive it, and the store be open until stop(). Memory: a kilobyte a lane. About a microsecond a
/// fact.
class FactRoots {
public:
    static constexpr std::chrono::seconds period{10};

    /// `log`: of the judged events.
    FactRoots(audit::Acts& acts, std::uint64_t log);

    FactRoots(const FactRoots&) = delete;
    FactRoots& operator=(const FactRoots&) = delete;

    ~FactRoots() { stop(); }

    /// Begins to enter what is added.
    void start();

    /// Enters what is left, and ends. Idempotent.
    void stop();

    /// A fact that has rows: one that was told before is passed over.
    void add(std::uint32_t lane, std::uint64_t offset, const FactId& fact);

    /// Enters what was added since the last time. Answers whether there was something.
    Result<bool> enter();

private:
    struct Block {
        std::uint64_t from = 0;
        std::uint64_t through = 0;
        audit::Edge edge;
    };

    std::chrono::milliseconds turn();

    audit::Acts* acts_;
    const std::uint64_t log_;
    std::mutex mutex_;                                // guards the next two
    std::map<std::uint32_t, Block> blocks_;           ///< By lane.
    std::map<std::uint32_t, std::uint64_t> entered_;  ///< Up to which record.
    SeldomLog troubles_{std::chrono::minutes{1}};
    std::optional<runtime::Turns> turns_;  // last: ends before what it uses
};

}  // namespace footfall::identities::routes
