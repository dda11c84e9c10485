#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "rankings/half_life.h"
#include "rankings/kept_name.h"
#include "rankings/slot_index.h"
#include "rankings/trend_settings.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::rankings {

/// An object that may trend. Sums are in people of the moment asked about.
struct TrendCandidate {
    std::string object;
    double fast = 0;   ///< New people since it became a candidate; never above the true sum.
    double slow = 0;   ///< New people, never below the true sum,
    double error = 0;  ///< and at most so much above it.
};

/// Over all objects, candidates or not, of as many lanes as were added up.
struct TrendTotals {
    double fast = 0;
    double slow = 0;

    TrendTotals& operator+=(const TrendTotals& other) {
        fast += other.fast;
        slow += other.slow;
        return *this;
    }
};

/// Who may trend among the objects of one lane and action: of each a fast and a slow sum of its new
/// people, F and S = sums of weight x 2^(-age / half-life) by event time. Fed with *new* people of
/// an object, never with events: then who reloads a page moves nothing. Weights are for callers
/// that estimate how many people are new.
///
/// Bounded by a weighted Space-Saving over the slow sums (Metwally, Agrawal, El Abbadi, "Efficient
/// computation of frequent and top-k elements in data streams", ICDT 2005) that evicts in lots
/// (Anderson et al., "A high-performance algorithm for identifying frequent items in data streams",
/// IMC 2017): when a quarter more than `counters` are taken, or too many bytes by names, those with
/// the least slow sums go, of equal ones those with the smaller hash. `floor` is the largest slow
/// sum that ever went, and no object that is no candidate has more. A newcomer begins with it: that
/// is its `error`.
///
/// What is sure, for any order and any number of objects (up to rounding, half_life.h):
///   (1) slow - error <= true slow sum <= slow;
///   (2) fast <= true fast sum: a newcomer inherits nothing of it, so what it had before it became
///   a
///       candidate is missing;
///   (3) totals are those of all objects;
///   (4) an object with more than total slow / counters is a candidate, as long as names fit: what
///       candidates have above the floor is at most the total less `counters` times the floor,
///       because each rise of the floor is taken from as many who stay;
///   (5) so the score of a candidate (score.h), which rises with fast and falls with slow, is never
///       above its true score.
/// While nobody had to go, `error` is 0, sums are complete, and the state is the same whatever the
/// order in which people came, bit for bit if none is more than 18 half-lives behind the newest
/// (18 hours, 18 days); else up to 2^-32 of a person for each half-life passed. Who has to go does
/// depend on the order.
///
/// The newest event sets the scale: event times must be bounded from above, as the guard does (5
/// minutes ahead); one from the year 9999 would make all others old. Very old events are worth 0,
/// and change nothing.
///
/// Not thread-safe: the lane's. Accounted (runtime/accounted_lanes.h). add() costs 0.2 us, a
/// newcomer twice that; once in some hundred newcomers, and once in a half-life, O(counters). Grows
/// with its candidates: 64 bytes each, 16 of the index, and names.
class TrendCandidates {
public:
    /// `settings` are sound (check_trend_settings).
    explicit TrendCandidates(const TrendSettings& settings = {});

    /// A new person of an object, or several. `hash` is well mixed and the same in every call.
    void add(std::uint64_t hash, std::string_view object, Instant event_time, double weight = 1);

    /// Has what add() will look at first on its way to the cache; once that is there, the rest.
    void prefetch(std::uint64_t hash) const { index_.prefetch(hash); }

    void prefetch_counter(std::uint64_t hash) const {
        const std::uint16_t slot = index_.find(hash, [](std::uint16_t) { return true; });
        if (slot != SlotIndex::none) {
            __builtin_prefetch(&counters_[slot]);
        }
    }

    /// Those whose fast sum is `least_fast` or more, in no particular order. O(candidates).
    std::vector<TrendCandidate> candidates(Instant now, double least_fast = 0) const;

    TrendTotals totals(Instant now) const;

    /// How many candidates.
    std::size_t size() const { return index_.size(); }

    std::size_t bytes() const;
    std::size_t recount() const;

    /// The state in bytes, which are the same for the same state (docs/formats/trending.md).
    std::string encode() const;

    /// What encode() wrote. `corrupt`: anything else, of whatever size. `conflict`: it was counted
    /// with other half-lives, so begin anew. With fewer counters than then, the least have to go.
    static Result<TrendCandidates> decode(std::string_view bytes, const TrendSettings& settings);

private:
    using Units = HalfLife::Units;

    struct alignas(64) Counter {  // one line of cache
        std::uint64_t hash = 0;
        Units fast = 0;
        Units slow = 0;
        Units error = 0;
        KeptName name;
        bool is_taken = false;
    };

    /// With the room for newcomers.
    std::size_t most() const { return counters_most_ + counters_most_ / 4; }

    std::uint16_t find(std::uint64_t hash, std::string_view object) const;
    void advance(HalfLife::Place fast_place, HalfLife::Place slow_place);
    void insert(std::uint64_t hash, std::string_view object, Units fast, Units slow, Units error);
    bool has_room_for(std::string_view object) const;
    void evict_least();
    void evict(std::uint16_t slot);
    bool take_state(std::string_view bytes);
    bool take_counters(std::string_view bytes);

    // Fixed by settings.
    std::size_t counters_most_;
    std::size_t names_bytes_most_;

    HalfLife fast_;
    HalfLife slow_;
    Units total_fast_ = 0;
    Units total_slow_ = 0;
    Units floor_ = 0;  ///< The largest slow sum that had to go.

    std::vector<Counter> counters_;
    std::vector<std::uint16_t> free_;  ///< Slots of counters_ that nobody has.
    SlotIndex index_;
    std::size_t names_bytes_ = 0;       ///< Of candidates.
    std::size_t free_names_bytes_ = 0;  ///< Room for names in free slots.
};

}  // namespace footfall::rankings
