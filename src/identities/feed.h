#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "identities/fact.h"
#include "identities/feed_rows.h"
#include "journal/log.h"
#include "projecting/projection.h"
#include "runtime/lanes.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace footfall::identities {

/// A fact of a lane, and the record that said it.
struct RecordedFact {
    std::uint64_t offset = 0;
    const Fact* fact = nullptr;
};

/// Writes the feed of the lanes that are told here, for other regions to follow (Following): rows
/// of it are written with those of their facts, and each says from which record on it has all. So a
/// reader to whom rows come late, or in another order, sees where one is missing.
///
/// State: of each lane, behind which row its next one is; behind a mutex.
/// Thread-safe; what it is given must outlive it.
class Feed {
public:
    /// `region`: empty where there is one, and nothing is written.
    Feed(storage::Store& store, const Clock& clock, journal::LogId log, std::string region);

    bool is_on() const { return !region_.empty(); }

    /// As Projection::begin(): reads which rows there are, and says of a lane that has none where
    /// its feed begins. Blocks.
    Result<void> begin(std::span<const projecting::LaneStart> lanes);

    /// Adds what is to be written of these, which are in the order of the lane, beside the rows of
    /// the facts. All of a record are among them, and nothing else is added of the lane until
    /// written().
    void add(std::uint32_t lane, std::span<const RecordedFact> facts, storage::Batch& batch);

    /// What was added of the lane is durable.
    void written(std::uint32_t lane);

private:
    /// What the next row of a lane says of those before it.
    struct Next {
        std::uint64_t since = 0;
        Instant before{};
    };

    struct Lane {
        Next next;
        Next added;  ///< `next` when what was added is durable.
    };

    Result<Next> next_of(const FeedEnd& end, std::uint64_t start) const;

    storage::Store* store_;
    const Clock* clock_;
    const journal::LogId log_;
    const std::string region_;
    std::mutex mutex_;
    std::array<Lane, runtime::lane_count> lanes_{};  ///< Guarded by mutex_.
};

}  // namespace footfall::identities
