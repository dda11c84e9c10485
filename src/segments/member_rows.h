#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "segments/segments.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Rows of members: by segment, and by id. Reads block.
namespace footfall::segments {

/// Partitions of a segment: of a hundred million members each has some tens of megabytes.
inline constexpr std::int64_t member_buckets = 256;

std::int64_t bucket_of(const identities::Id& id);

/// Both rows.
void add_member(
    std::int64_t segment,
    const Member& member,
    Instant since,
    std::string_view source,
    storage::Batch& batch
);
void erase_member(std::int64_t segment, const identities::Id& id, storage::Batch& batch);

/// A note that these ids are to be looked at.
void add_noted_ids(
    Instant at, std::int64_t token, std::span<const identities::Id> ids, storage::Batch& batch
);

/// Whether an end is still to come, or there is none.
bool is_live(std::int64_t expires, Instant now);

/// The columns of the partitions of these ids, one behind the other, of a table whose partitions
/// are ids. They point into `ids`.
std::vector<storage::ValueView> partitions_of(std::span<const identities::Id* const> ids);

/// Of an id, which live memberships it has.
struct Membership {
    std::int64_t segment = 0;
    std::int64_t expires = 0;  ///< 0: never.
};

/// Of each of these ids, in their order.
Result<std::vector<std::vector<Membership>>> read_memberships(
    storage::Store& store, std::span<const identities::Id> ids, Instant now
);

/// The same, of ids that stand somewhere else.
Result<std::vector<std::vector<Membership>>> read_memberships(
    storage::Store& store, std::span<const identities::Id* const> ids, Instant now
);

/// Members that stand in rows, also such as have ended: a part of those of a segment. An empty
/// cursor is the beginning, and the end.
Result<Listed<Member>> read_members(
    storage::Store& store, std::int64_t segment, std::string_view cursor, std::size_t most
);

}  // namespace footfall::segments
