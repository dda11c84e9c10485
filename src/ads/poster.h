#pragma once

#include "ads/entries.h"
#include "ads/parties.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "projecting/ordered_write_behind.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <cstdint>
#include <span>
#include <string>

namespace footfall::ads {

using Waiting = projecting::OrderedWriteBehind<Entry>;

/// Merges records of the judged log with the rows of the ledger. Everything that follows from a
/// record is in one of these rows, each of which says itself which records it has. Used by one
/// thread at a time; what it is given must outlive it.
class Poster {
public:
    Poster(storage::Store& store, const Clock& clock, std::uint64_t log, const Parties& parties)
        : store_{&store}, clock_{&clock}, log_{log}, parties_{&parties} {}

    /// As OrderedWriteBehind::Merge.
    Result<void> merge(std::span<const Waiting::Part> parts, storage::Batch& batch);

private:
    storage::Store* store_;
    const Clock* clock_;
    std::uint64_t log_;
    const Parties* parties_;
};

}  // namespace footfall::ads
