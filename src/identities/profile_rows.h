#pragma once

#include "foundation/result.h"
#include "identities/resolution.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

/// What is stored of profiles. Reads block.
namespace footfall::identities {

/// Partitions of each network's part of the index: 0 to one below.
inline constexpr std::int64_t index_partitions = 256;

/// Which profile an id is in.
struct IndexEntry {
    std::string sid;
    bool shared = false;  ///< It unites nobody.

    friend bool operator==(const IndexEntry&, const IndexEntry&) = default;
};

using Index = std::map<Id, IndexEntry>;

/// By sid; members by id.
using StoredProfiles = std::map<std::string, std::vector<Member>, std::less<>>;

/// Of those of these ids that are in a profile.
Result<Index> read_index(storage::Store& store, std::span<const Id> ids);

/// Of those of these sids that have rows.
Result<StoredProfiles> read_profiles(storage::Store& store, const std::set<std::string>& sids);

/// The id after which a sid was given out that is no profile's any more; absent: it is one's, or
/// was never given out.
Result<std::optional<Id>> read_anchor(storage::Store& store, const std::string& sid);

void add_index_entry(const Id& id, const IndexEntry& entry, storage::Batch& batch);

void add_anchor(const std::string& sid, const Id& id, storage::Batch& batch);

/// Puts the rows of a profile in place of those that stand; without members they are erased.
void replace_profile(
    const std::string& sid,
    std::span<const Member> stored,
    std::span<const Member> members,
    storage::Batch& batch
);

}  // namespace footfall::identities
