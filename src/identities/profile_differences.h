#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "identities/fact.h"
#include "identities/resolution.h"
#include "identities/sid.h"
#include "storage/store.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace footfall::identities {

/// By what profiles are held to facts.
struct ProfileTruth {
    SidNames names;
    const Guards* guards = nullptr;
    std::size_t facts_max = 20'000;
    Instant now = Instant::min();  ///< What has ended by then does not count.
};

/// Reads all facts that hang together with these ids, and holds what stands of profiles of all ids
/// that they name to what resolve() makes of them: entries of the index, rows of profiles, anchors
/// of sids. Also that nothing stands of ids of which nothing is said. A sentence each. Failures:
/// `conflict` where they are more than `facts_max`; `corrupt`; the store's. Blocks.
Result<std::vector<std::string>> profile_differences(
    storage::Store& store, const ProfileTruth& truth, std::span<const Id> ids
);

}  // namespace footfall::identities
