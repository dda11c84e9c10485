#pragma once

#include "foundation/clock_watch.h"
#include "foundation/result.h"
#include "foundation/seldom_log.h"
#include "foundation/siphash.h"
#include "metrics/metrics.h"
#include "runtime/lanes.h"
#include "runtime/memory_shares.h"
#include "storage/store.h"
#include "tokens/activity.h"
#include "tokens/chunk_pool.h"
#include "tokens/counted_object.h"
#include "tokens/counter_config.h"
#include "tokens/lane_objects.h"
#include "tokens/object_load.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::tokens {

/// The objects in memory: applies operations to them, loads those that are not there, and evicts
/// those that were not used again once all together take more than their share. What TokenCounters
/// is made of; see there for what callers are promised.
///
/// State: 64 lanes, each with the objects whose hash names it, under the lane's mutex. No mutex is
/// held while the store is read, and never two of them. An entry that is `busy` belongs to whoever
/// made it so and is neither evicted nor dropped, so its address may be kept across reads.
///
/// Memory: one total for all lanes. While it is above the share every operation, once it has left
/// its own lane, makes room in one lane by looking at a few objects: the next in turn, or its own
/// if that has more. So lanes that nobody uses give way like all others, all stay alike, and nobody
/// pays for more than a few. Only what the store has durable goes: a reload finds it. So the total
/// exceeds the share by what is in flight, and by what a few operations added.
///
/// A small object goes in two steps. When those in the tables have more than their share of the
/// memory, what the hand finds unused becomes cold (cold_objects.h), where it takes less but a
/// token that was put before has to be looked up; and of the cold ones the oldest leave. How large
/// that share is follows what was missed, as in ARC (Megiddo, Modha, "ARC: a self-tuning, low
/// overhead replacement cache", FAST 2003): each token that had to be looked up adds to it, each
/// object that had left takes from it.
class ObjectCache {
public:
    struct Options {
        std::size_t memory_bytes;                ///< The share,
        runtime::MemoryShare* memory = nullptr;  ///< or, where it follows use, who says it.
        std::size_t waiting_limit;               ///< Operations that may wait for one object.
        /// As of TokenCounters::Options.
        std::optional<std::chrono::milliseconds> fresh_for = {};
        std::size_t rows_a_partition = 0;
    };

    /// `counters` are fixed and outlive it, as do all others.
    ObjectCache(
        storage::Store& store,
        const Clock& clock,
        SipKey secret,
        metrics::Metrics& metrics,
        std::span<const CounterConfig> counters,
        Options options
    );

    /// The lane of an object.
    std::size_t lane_of(std::uint16_t counter, std::string_view object) const;

    /// Does what is asked. Answers if that needs nothing that would have to be waited for; else
    /// absent, and then `done` is called once, later. Without a `done` nothing was asked: the
    /// object may be on its way, and asking with one finds it so.
    std::optional<Result<Count>> operate(
        std::uint16_t counter, std::string_view object, const Operation& operation, CountDone* done
    );

    /// What happened in the closed seconds [from, before).
    std::vector<ActivitySecond> activity_between(std::int64_t from, std::int64_t before);

    MemoryUse memory_use() const { return sums_.use(); }

    /// Counts a lane anew. Costs what the lane has objects.
    MemoryAudit audit(std::size_t lane);

    double pressure() const { return store_->pressure(); }

private:
    struct Lane {
        LaneObjects objects;
        storage::Batch scratch;
        ActivitySecond activity;
    };

    /// Where an object is. Outside the lane's mutex only kept of one that is busy, by whoever made
    /// it so.
    struct Place {
        std::uint64_t hash = 0;
        std::size_t lane = 0;
        const ObjectEntry* entry = nullptr;
        /// Where the directory had it when it was unloaded to be loaded again.
        DirectoryEntry directory = {};
    };

    struct EvictionRules;

    using Answers = std::vector<std::pair<CountDone, Result<Count>>>;

    /// What follows once the lane's mutex is released.
    struct Followup {
        enum class Kind { none, load, probe };
        Kind kind = Kind::none;
        std::string token = {};             ///< The row to probe,
        std::int64_t expiry = 0;            ///< for a PUT that would expire then,
        std::int64_t level = 0;             ///< in all levels up to this.
        storage::CommitPosition after = 0;  ///< What has to be durable before the store is asked.
    };

    /// What an operation came to.
    struct Begun {
        Place place;
        std::optional<Result<Count>> answer = {};
        bool must_load = false;  ///< The object was added for this operation, which has to load it.
        Followup followup = {};
    };

    const CounterConfig& config_of(const ObjectEntry& entry) const;
    std::uint64_t hash_of(std::uint16_t counter, std::string_view object) const;

    std::size_t memory_bytes() const {
        return options_.memory != nullptr ? options_.memory->bytes() : options_.memory_bytes;
    }

    bool fits() const;
    bool small_fit() const;
    void give_share(int steps);

    // With the lane's mutex held.
    Begun begin(
        Lane& lane,
        std::uint64_t hash,
        std::uint16_t counter,
        std::string_view object,
        const Operation& operation,
        CountDone* done
    );
    LaneObjects::Slot add(
        Lane& lane, std::uint64_t hash, std::uint16_t counter, std::string_view object
    );
    LaneObjects::Slot warm_up(
        Lane& lane, std::uint64_t hash, std::uint16_t counter, std::string_view object
    );
    LaneObjects::Fate fate_of(const ObjectEntry& entry) const;
    void clean(Lane& lane);
    void take_out(Lane& lane, const Place& place);
    void note_size(const Lane& lane, std::size_t index);
    Applied apply_in_lane(
        LaneObjects::Slot slot, std::size_t index, const Operation& operation, Lane& lane
    );
    void note(Lane& lane, const Applied& applied, Instant now);
    std::optional<Result<Count>> enqueue(
        Lane& lane, LaneObjects::Slot slot, const Operation& operation, CountDone& done
    );
    void note_fresh(CountedObject& loaded) const;
    bool install(
        Lane& lane,
        Place& place,
        LaneObjects::Slot slot,
        std::uint64_t incarnation,
        CountedObject loaded,
        Followup& followup
    );
    Error fail_all(Lane& lane, const Place& place, Error reason, Answers& answers);
    Followup suspend(
        Lane& lane,
        LaneObjects::Slot slot,
        Place& place,
        const Operation& operation,
        Applied::Step step
    );
    Followup resume(Lane& lane, Place& place, Answers& answers);

    // With none.
    std::optional<Result<Count>> load_for(Place place, const Operation& operation, CountDone* done);
    ObjectLoad load_of(const Place& place) const;
    void read_on(const Place& place, std::uint64_t incarnation, ObjectLoad load);
    void take_loaded(Place place, std::uint64_t incarnation, Result<CountedObject> loaded);
    void finish(const Place& place, Answers answers, Followup followup);
    void follow(const Place& place, Followup followup);
    void probe(const Place& place, const Followup& followup);
    void take_probed(
        Place place, std::uint64_t incarnation, std::int64_t expiry, Result<storage::Found> found
    );
    void evict_some(std::size_t own);
    void drop_objects();
    void look_at_clock();
    void forget_old_times(Lane& lane, std::size_t index);
    std::optional<ObjectLoad::WasAhead> was_ahead() const;

    storage::Store* store_;
    const Clock* clock_;
    const SipKey secret_;
    const std::span<const CounterConfig> counters_;
    const Options options_;
    metrics::Counter puts_;
    metrics::Counter added_;
    metrics::Counter unsure_;
    metrics::Counter loads_now_;
    metrics::Counter loads_waited_;
    metrics::Counter evictions_;
    ObjectSums sums_;
    ChunkPool cold_memory_;
    runtime::Lanes<Lane> lanes_;
    /// Objects in each lane; written under its mutex.
    std::array<std::atomic<std::size_t>, decltype(lanes_)::count> sizes_{};
    Activity activity_;
    const bool has_cold_;
    std::atomic<std::size_t> small_share_;     ///< MemoryUse::small before some become cold.
    std::atomic<std::size_t> evict_next_ = 0;  ///< The lane whose turn it is.
    std::atomic<std::uint64_t> incarnation_ =
        0;  ///< Raised when writes were lost; what was loaded before is void.
    ClockWatch clock_watch_;
    mutable std::mutex ahead_mutex_;
    std::optional<ObjectLoad::WasAhead> was_ahead_;    ///< Of late. Guarded by ahead_mutex_.
    std::atomic<bool> ever_ahead_ = false;             ///< `was_ahead_` says something.
    SeldomLog failed_loads_{std::chrono::minutes{1}};  ///< Many at once: all who waited.
    storage::Subscription store_losses_;
};

}  // namespace footfall::tokens
