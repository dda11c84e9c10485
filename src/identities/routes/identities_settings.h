#pragma once

#include "identities/profile_data.h"
#include "identities/resolution.h"
#include "jobs/settings.h"

#include <cstddef>

namespace footfall::identities::routes {

/// What identities are opened with.
class IdentitiesOptions final : public jobs::Options {
public:
    /// Those of the configuration file; where it says none, those that hold anyway.
    Guards guards;
    DatumRules rules = default_rules();
    /// A network doubles the partitions of its index that have become larger.
    std::size_t index_partition_bytes = std::size_t{10} << 20;
    std::size_t replay = 20'000;  ///< As in Identities::Options.
};

/// The guards that this process was told; null: nobody said anything.
Guards guards_in(const jobs::Options* options);

/// The same of the rules by which a datum of a profile wins.
DatumRules rules_in(const jobs::Options* options);

/// As large as partitions of the index may become before they are doubled.
std::size_t index_partition_bytes_in(const jobs::Options* options);

/// How many facts are looked at before an answer.
std::size_t replay_in(const jobs::Options* options);

/// `identities_profile_ids`, `identities_shared_above`, `identities_data`,
/// `identities_index_partition_bytes`, `identities_replay`, and a [[identifier]] for each network
/// of which something else holds. docs/identities.md.
extern const jobs::JobSettings identities_settings;

}  // namespace footfall::identities::routes
