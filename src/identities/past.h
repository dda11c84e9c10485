#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "identities/profile_rows.h"
#include "identities/resolution.h"
#include "storage/store.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace footfall::identities {

/// In which profile an id was, by what had been recorded until an instant and the guards of then.
/// Absent: nobody had said anything of it. No row of profiles is read: they are those of now.
///
/// A statement that was said again since is taken with the time at which it was said last, which
/// matters to networks that keep the latest alone, and to those with a ttl, of which nothing had
/// ended that was said again since.
///
/// Failures: `conflict` (more than `facts_max` facts hang together with it, or have been recorded
/// since), the store's. Blocks: a round of reads for each step from the id.
Result<std::optional<IndexEntry>> entry_at(
    storage::Store& store,
    const Guards& guards,
    const Id& id,
    Instant instant,
    std::size_t facts_max,
    const std::function<std::string(const Profile&)>& sid_of
);

}  // namespace footfall::identities
