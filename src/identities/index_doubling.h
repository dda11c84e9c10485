#pragma once

#include "foundation/clock.h"
#include "foundation/random.h"
#include "foundation/result.h"
#include "identities/identities.h"
#include "identities/index_levels.h"
#include "identities/profile_rows.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::identities {

/// Doubles the partitions of the index of each network in which they have become too large, while
/// others look up and settle. Nobody waits for it, and nothing that was acknowledged is missed.
///
/// A network is copied first: each entry that goes from partition p to p + 2^level is written there
/// besides, and who settles writes both. Then all ask the new places, and at last what moved is
/// erased from the old ones. Each phase begins with a wait (levels_wait): whatever is done in it is
/// done when nobody is left who goes by the phase before.
///
/// Why nothing outdated stays in a new place: an entry is copied by reading the old place,
/// writing the new one, and reading both again until they are the same. Somebody who settles the id
/// at the same time writes both places and then reads both again. Either his entry in the old place
/// was durable before the copy was looked at again, then it is copied again; or it became so later,
/// then the copy was durable before he read again, and he sees it and writes anew. In which order
/// the two places are written does not matter.
///
/// Why no acknowledged entry is missed: who has settled looks at the steps once all stands, and
/// settles again if they are others than he went by. So he has written both places, or all of it
/// was durable before the first entry was copied. The same holds of what another process wrote and
/// this one acknowledges, since it looks at all places that it knows of, and from the first copy on
/// it knows of both.
///
/// Several may double the same network, and each may end at any moment: every write can be
/// repeated, a step says what has been reached whoever says it, and who comes next goes over the
/// phase that was begun from its beginning. A copier that stood still for longer than the lease
/// settles what it wrote from the facts; and no old entry is erased that differs from the new one
/// before the id was settled.
///
/// Used by one thread, but for its figures. What it is given must outlive it. All calls block.
class IndexDoubling {
public:
    struct Options {
        std::size_t partition_bytes = std::size_t{10} << 20;  ///< Larger ones are doubled.
        bool shared = true;                                   ///< Whether other processes settle.
        std::uint64_t seed = 1;                               ///< Which partitions are looked at.
        /// Networks that are doubled here; others are by other processes. It may change its answer
        /// at any time. None: all are.
        std::function<bool(const std::string& identifier)> is_ours = {};
    };

    IndexDoubling(Identities& identities, Options options);

    /// Looks at a partition of the next network, or goes on with a network that is being doubled, a
    /// few pages far. Answers when it is worth to be called again. Failures: the store's;
    /// `cancelled`.
    Result<std::chrono::milliseconds> go_on(const std::stop_token& stop);

    /// How many have come to their end here.
    std::uint64_t doublings() const { return doublings_.load(); }

    /// Networks that are being doubled here now.
    std::size_t under_way() const { return under_way_.load(); }

private:
    /// A network that is being doubled.
    struct Work {
        std::string identifier;
        IndexStep step;
        Instant seen{};               ///< When this step was first seen here.
        std::int64_t partition = 0;   ///< The next one of this sweep.
        std::string continuation{};   ///< In it.
        std::uint64_t misplaced = 0;  ///< Entries that this sweep found in old places.
    };

    bool is_ours(const std::string& identifier) const;
    Result<void> find_work();
    Result<std::chrono::milliseconds> measure();
    Result<std::size_t> bytes_of(const std::string& identifier, std::int64_t partition);
    Result<std::chrono::milliseconds> work();
    Result<std::chrono::milliseconds> copy();
    Result<std::chrono::milliseconds> empty();
    Result<bool> sweep(const std::function<Result<void>(std::span<const IndexRow>)>& take);
    Result<void> copy_entries(std::span<const Id> ids);
    Result<std::optional<std::size_t>> copy_once(std::span<const Id> ids);
    Result<void> erase_old(std::span<const IndexRow> rows);
    Result<bool> is_still_so(std::chrono::microseconds age_max);
    Result<void> raise(const std::string& identifier, IndexStep step);
    void begin(const std::string& identifier, IndexStep step);
    bool has_waited() const;
    std::chrono::milliseconds pause() const;

    const Settling& settling() const { return identities_->settling(); }

    storage::Store& store() const { return settling().store(); }

    Identities* identities_;
    const Options options_;
    Random random_;
    std::stop_token stop_;
    std::vector<std::string> networks_;  ///< The next one to be looked at last.
    std::size_t measured_ = 0;           ///< Bytes that were read to know how large partitions are.
    LevelsSeen levels_;                  ///< As they were looked up last; null: never.
    std::unique_ptr<Work> work_;         ///< Null: nothing is doubled.
    std::atomic<std::uint64_t> doublings_ = 0;
    std::atomic<std::size_t> under_way_ = 0;
};

}  // namespace footfall::identities
