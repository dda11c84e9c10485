#pragma once

#include "foundation/result.h"
#include "identities/expiry_rows.h"
#include "identities/identities.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace footfall::identities {

/// Settles profiles of which a link or a datum has ended (lifetime.h), in this region. What ended
/// of late is settled within seconds. A quarter of an hour after an hour has passed all rows of it
/// are settled once more, and erased: whoever's clock was behind while he wrote sees then that it
/// has ended. So whatever one process leaves half done is done by any other one, and nothing is
/// lost where all of them ended for a while. That several do the same is of no harm.
///
/// Where no network has a ttl it looks once an hour for what is left of one that had.
///
/// Used by one thread. What it is given must outlive it. Blocks.
class ExpiredLinks {
public:
    explicit ExpiredLinks(Identities& identities) : identities_{&identities} {}

    /// Settles what has ended since the turn before. Failures: the store's; `cancelled`.
    Result<void> go_on(const std::stop_token& stop);

    /// Facts that had ended when they were looked at, some of them twice. Thread-safe.
    std::uint64_t ended() const { return ended_.load(); }

private:
    Result<void> settle_bucket(
        const ExpiryBucket& bucket, Instant now, const std::stop_token& stop
    );
    Result<void> end_bucket(const ExpiryBucket& bucket, const std::stop_token& stop);
    Result<void> settle_rows(std::span<const ExpiryRow> rows);

    storage::Store& store() const { return identities_->settling().store(); }

    Identities* identities_;
    std::optional<Instant> looked_;  ///< When a turn looked last, to the end.
    /// What was settled of the last minutes: rows may come late, between others.
    std::set<std::pair<Instant, FactId>> recent_;
    std::atomic<std::uint64_t> ended_ = 0;
};

}  // namespace footfall::identities
