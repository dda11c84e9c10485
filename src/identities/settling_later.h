#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "identities/identities.h"
#include "identities/later_rows.h"
#include "identities/recorded_guards.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <stop_token>
#include <vector>

namespace footfall::identities {

/// Settles what was noted to be settled later: takes notes, has the profiles of their ids follow
/// from all facts that were in rows before, and then erases the notes it took, and no others.
/// Whoever is killed in between leaves notes, which the next one takes; several at once are
/// harmless. On a cluster a process takes its own at once, and those of another one only when that
/// one seems to be away.
///
/// Ids with which too much hangs together even here stay noted, and are tried again with growing
/// pauses, and once guards have changed.
///
/// Used by one thread, but for the figures. What it is given must outlive it. All calls block.
class SettlingLater {
public:
    explicit SettlingLater(Identities& identities) : identities_{&identities} {}

    /// Takes some notes, as far as there are any. Answers whether there were. Failures: the
    /// store's; `cancelled`.
    Result<bool> go_on(const std::stop_token& stop);

    /// Lists what is noted, and settles nothing. Failures: the store's.
    Result<void> look();

    /// Ids that wait, in notes of all processes.
    std::size_t waiting() const { return waiting_.load(); }

    /// Ids with which too much hangs together to be settled at all.
    std::size_t too_large() const { return too_large_.load(); }

private:
    /// What notes say, by why their ids are to be settled.
    struct Listed {
        std::vector<Later> due;
        std::array<std::set<Id>, later_reasons> wait;  ///< Of those that are too large for now.
    };

    Result<Listed> list();
    bool is_due(const Later& later, Instant now);
    Result<void> settle(const Listed& listed, LaterReason reason, const std::stop_token& stop);
    Result<void> have_wait(std::span<const Id> ids, LaterReason reason, std::int64_t tries);

    storage::Store& store() const { return identities_->settling().store(); }

    Identities* identities_;
    bool is_finished_ = false;  ///< Nothing is left half settled by who ended before.
    GuardsVersion version_;     ///< When ids were found to be too large.
    /// When notes of others were seen first.
    std::map<std::int64_t, Instant> seen_;
    std::atomic<std::size_t> waiting_ = 0;
    std::atomic<std::size_t> too_large_ = 0;
};

}  // namespace footfall::identities
