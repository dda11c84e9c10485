#pragma once

#include "foundation/result.h"
#include "foundation/seldom_log.h"
#include "intake/id_filter.h"
#include "intake/lane_judge.h"
#include "runtime/turns.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

namespace footfall::intake {

/// Which ids the store knows, by a filter in memory: an event whose id is new, which is nearly
/// every one, need not be looked for among all that are kept.
///
/// The filter is built beside a running intake: first every lane is told to add what it takes from
/// then on, and adds what its reads might not find in the store yet; then the rows of all ids are
/// scanned. When that is done it holds every id that is kept, and answers. It stays right when rows
/// are lost or go; when it is full, and the log keeps less than half as many events, another one is
/// built in the same way and takes its place.
///
/// State: a thread that sleeps most of the time, in the background. Thread-safe. The context and
/// the lanes must outlive it, and all rows must be written by this process: not for a cluster.
class KnownIds {
public:
    /// `bytes`: that the filter takes; twice that while it is built anew.
    KnownIds(const Context& context, JudgeLanes& lanes, std::size_t bytes);

    KnownIds(const KnownIds&) = delete;
    KnownIds& operator=(const KnownIds&) = delete;

    ~KnownIds() { stop(); }

    void start();

    /// Ends the thread; a scan under way ends early. Idempotent.
    void stop();

    /// The filter that holds all ids of events that were taken before this call; null: there is
    /// none yet, ask the store.
    std::shared_ptr<const IdFilter> all() const {
        const std::lock_guard lock{mutex_};
        return all_;
    }

    /// Builds a filter that takes the place of the one there is. Waits for the store; fails as it
    /// does, then all is as before. Ends early, without an effect, when it is to stop.
    Result<void> build(const std::stop_token& stop = {});

    /// Whether there is no filter yet, or another one would be of more use.
    bool is_due() const;

private:
    Result<void> add_stored(IdFilter& filter, const std::stop_token& stop) const;

    const Context* context_;
    JudgeLanes* lanes_;
    const std::size_t bytes_;
    mutable std::mutex mutex_;
    std::shared_ptr<IdFilter> all_;  ///< Guarded by mutex_.
    SeldomLog troubles_{std::chrono::minutes{1}};
    std::optional<runtime::Turns> turns_;
};

}  // namespace footfall::intake
