#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <span>
#include <string>
#include <vector>

namespace footfall::identities {

/// Notes which profiles have got or lost ids or data, for whoever follows people (segments): the
/// names of those that were and that are.
///
/// Where this process alone has the store the note is written with the rows of the profiles, all or
/// nothing, and whoever follows is told in memory once they are durable; until somebody follows
/// nothing is noted, so that nobody pays for it. Where other processes settle, too, the note is
/// durable before the rows are written, and always: so each move has a note, which is often read
/// before its rows stand. Who follows looks again at notes that are older than any write takes.
///
/// Thread-safe; the store and the clock must outlive it.
class MovedProfiles {
public:
    using Names = std::set<std::string>;
    /// `since`: no note of them has an earlier instant.
    using Told = std::function<void(const Names& sids, Instant since)>;

    /// `clock` null: nothing is noted.
    MovedProfiles(storage::Store& store, const Clock* clock, bool shared, std::int64_t tokens);

    /// From now on moves are noted in this store, also after the next start, and this process's are
    /// told, by the threads that settle: it must be short, and may not settle. When this returns no
    /// settling is under way that does not note. Failures: the store's. Blocks.
    Result<void> follow(Told told);

    /// Nobody is told any more, once this returns.
    void stop_telling();

    /// Held by who settles, from before he asks whether moves are noted until his rows stand.
    struct Writing {
        std::shared_lock<std::shared_mutex> lock;
        bool is_noted = false;
        Instant since{};  ///< When it began.
    };

    /// Failures: the store's.
    Result<Writing> begin_writing();

    /// Adds a note, unless there are no names.
    void add(const Names& sids, storage::Batch& batch);

    /// Tells who follows, once the rows stand, or nobody knows whether they do.
    void tell(const Names& sids, Instant since);

private:
    Result<void> look_for_followers();

    storage::Store* store_;
    const Clock* clock_;
    const bool shared_;
    std::atomic<std::int64_t> next_token_;
    std::shared_mutex
        settling_;  ///< Shared: somebody settles. Exclusive: whether it is noted changes.
    std::optional<bool> is_noted_;  ///< Guarded by settling_; absent: nobody has looked yet.
    std::mutex mutex_;
    Told told_;  ///< Guarded by mutex_.
};

/// The sids of a note. What is damaged is left out.
std::vector<std::string> read_moved_note(std::string_view what);

}  // namespace footfall::identities
