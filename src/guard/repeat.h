#pragma once

#include "foundation/clock.h"
#include "guard/seen_table.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace footfall::guard {

/// What the rules against repeats go by: of the counted events of the same actor, action and object
/// the one that is nearest in time, before or after. Of two as near the earlier.
struct NearestCounted {
    std::optional<Instant> nearest;  ///< Absent: none less than the reach away.

    friend bool operator==(const NearestCounted&, const NearestCounted&) = default;
};

/// Finds in one lane, for each event, the nearest counted one of its key that stands in the lane
/// already. Which distance is a repeat is for the rules to say; none looks further than `reach`.
///
/// Memory alone answers for whose time is at or after all of its key that were counted, unless its
/// key was forgotten, or the event is late by more than the reach and memory was short. Half of the
/// memory holds keys with their times, half the names of twelve times as many that were forgotten.
/// Of all else only the store knows: then the
/// times that were counted near it have to be looked up (table guard_seen). A key is a keyed hash
/// of action, object and actor.
///
/// Belongs to a lane, used under its mutex; pure but for its memory. Its state is that of the
/// counted events it was told of, in any order.
class RepeatJudge {
public:
    RepeatJudge(std::chrono::microseconds reach, std::size_t memory_bytes)
        : reach_{reach}, memory_bytes_{memory_bytes}, seen_{memory_bytes / 2, memory_bytes / 2} {}

    /// From now on it takes no more than this.
    void set_memory(std::size_t memory_bytes);

    /// Whether it would soon not know what matters, but for more memory.
    bool is_short() const { return seen_.forgets_much(); }

    /// `also`: counted times of the key that counted() was not told of yet, in any order. Absent:
    /// memory does not suffice.
    std::optional<NearestCounted> judge(
        std::uint64_t key, Instant time, std::span<const Instant> also
    ) const;

    /// Fetches what judge() of this key will need.
    void prefetch(std::uint64_t key) const { seen_.prefetch(key); }

    /// The same from counted times of the key, in any order: all that are less than reach() from
    /// `time`. What memory knows is not asked.
    NearestCounted nearest(std::span<const Instant> counted, Instant time) const;

    /// The event was counted, which arrived then. What is forgotten goes by the latest time, which
    /// is not later than the latest arrival: else an event of a clock that was ahead would have all
    /// that follow looked up.
    void counted(std::uint64_t key, Instant time, Instant arrival);

    /// No event through that time is in memory: state was rebuilt from a part of the log.
    void forgotten(Instant through);

    /// Appends what it knows for take(): of its keys at most the newest
    /// `keys_max`, and at most `filter_bytes` of names. What is left out take() knows to be
    /// missing, so it answers the same, though it sends more questions to the store.
    void append_newest(std::size_t keys_max, std::size_t filter_bytes, std::string& bytes) const;

    /// Knows what append_newest() appended by a judge of the same reach, and takes it off the front
    /// of `bytes`. To be called before anything was counted. False: these are other bytes, and the
    /// judge is void.
    bool take(std::string_view& bytes);

    std::chrono::microseconds reach() const { return reach_; }

    std::size_t bytes() const { return seen_.bytes(); }

    /// The same, counted anew.
    std::size_t recount() const { return seen_.recount(); }

private:
    bool is_within_reach(Instant left, Instant right) const;
    Instant forgotten_through() const;

    std::chrono::microseconds reach_;
    std::size_t memory_bytes_;
    SeenTable seen_;
    Instant latest_ = Instant::min();      ///< Of all that were counted.
    Instant not_loaded_ = Instant::min();  ///< Through this, nothing was.
};

}  // namespace footfall::guard
