#pragma once

#include "foundation/result.h"
#include "identities/index_levels.h"
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

/// Which profile an id is in.
struct IndexEntry {
    std::string sid;
    bool shared = false;  ///< It unites nobody.
    /// Whether it stands so in all places of the id that were read; of no other rows.
    bool everywhere = true;

    friend bool operator==(const IndexEntry&, const IndexEntry&) = default;
};

using Index = std::map<Id, IndexEntry>;

/// By sid; members by id.
using StoredProfiles = std::map<std::string, std::vector<Member>, std::less<>>;

/// In which of an id's places is looked: while its network doubles there are two.
enum class IndexPlaces : std::uint8_t { read, all };

/// Of those of these ids that are in a profile. Finds what was acknowledged before, also while
/// networks double.
Result<Index> read_index(
    const IndexLevels& levels, std::span<const Id> ids, IndexPlaces places = IndexPlaces::read
);

/// The same by steps that are read for it.
Result<Index> read_index(storage::Store& store, std::span<const Id> ids);

/// By what somebody knows, once.
Result<Index> read_index(
    storage::Store& store, const KnownLevels& levels, std::span<const Id> ids, IndexPlaces places
);

/// Where they stand at this level.
Result<Index> read_index_at(storage::Store& store, std::span<const Id> ids, int level);

/// Of those of these sids that have rows.
Result<StoredProfiles> read_profiles(storage::Store& store, const std::set<std::string>& sids);

/// The id after which a sid was given out that is no profile's any more; absent: it is one's, or
/// was never given out.
Result<std::optional<Id>> read_anchor(storage::Store& store, const std::string& sid);

/// In all its places.
void add_index_entry(
    const Id& id, const IndexEntry& entry, const KnownLevels& levels, storage::Batch& batch
);

void add_index_entry_at(const Id& id, const IndexEntry& entry, int level, storage::Batch& batch);

/// Erases what stands of an id in a partition.
void erase_index_entry(const Id& id, std::int64_t partition, storage::Batch& batch);

/// Whether something stands of an id in a partition.
Result<bool> has_index_entry(storage::Store& store, const Id& id, std::int64_t partition);

/// What a row of profile_index says.
struct IndexRow {
    Id id;
    IndexEntry entry;
    std::int64_t partition = 0;
};

IndexRow read_index_row(const storage::Rows& rows, std::size_t row);

void add_anchor(const std::string& sid, const Id& id, storage::Batch& batch);

/// Puts the rows of a profile in place of those that stand; without members they are erased.
void replace_profile(
    const std::string& sid,
    std::span<const Member> stored,
    std::span<const Member> members,
    storage::Batch& batch
);

}  // namespace footfall::identities
