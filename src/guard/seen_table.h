#pragma once

#include "foundation/clock.h"
#include "guard/key_filter.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::guard {

/// Of each key the highest time that was noted: what the rule against repeats needs of the past to
/// judge events that come in order. Within a bound of memory: when it is full it forgets, and knows
/// which keys (KeyFilter), or at least up to which time, so that whoever does not find a key knows
/// whether that means something.
///
/// Keys are keyed hashes of 64 bits. They stand in their order in one array with gaps, each as near
/// behind the place that its value names as those before it leave room (linear probing where the
/// place grows with the key; Amble and Knuth, "Ordered hash tables", 1974). So a search ends at the
/// first larger key, and growing is one pass. 16 bytes a place, 20 to 24 a key above 1,000 keys.
///
/// A plain value that can be moved; belongs to one lane and is used under its mutex.
/// Cost (two million keys, all of it out of the cache, on a busy machine): to find 80 ns, to note a
/// new key 340, growing included, of which a quarter more places at a time make the most.
class SeenTable {
public:
    /// Takes at most so many bytes, though never less than 1 KiB, and `filter_bytes` for the names
    /// of what it forgot.
    explicit SeenTable(std::size_t bytes_max, std::size_t filter_bytes = 0);

    /// From now on. What is more is forgotten: times of 100 keys take 10 us.
    void set_bytes_max(std::size_t bytes_max, std::size_t filter_bytes, Instant dispensable);

    /// The highest time noted of this key; absent: none, or it was forgotten.
    std::optional<Instant> highest(std::uint64_t key) const;

    /// Notes a time of a key. Keys whose highest is before `dispensable` are forgotten before long;
    /// when there is no room, others are, too. Of those before `remote` it does not keep the names.
    void note(
        std::uint64_t key, Instant time, Instant dispensable, Instant remote = Instant::min()
    );

    /// No time that was forgotten of a key is after this, unless may_have_forgotten() says so.
    /// Instant::min(): no other was.
    Instant forgotten_through() const {
        return std::max(forgotten_through_, forgotten_.dropped_through());
    }

    /// Whether a time of this key may have been forgotten that is later than forgotten_through()
    /// and than `after`.
    bool may_have_forgotten(std::uint64_t key, Instant after) const {
        return forgotten_.may_contain(key, after);
    }

    /// Appends keys with their times for take(): the newest, at most `keys_max`, none before
    /// `since`; and the newest names of what it forgot, in at most `filter_bytes`. Answers through
    /// which time something may be missing: Instant::min(): nothing is.
    Instant append_newest(
        std::size_t keys_max, std::size_t filter_bytes, Instant since, std::string& bytes
    ) const;

    /// Notes what append_newest() appended, and takes it off the front of `bytes`. To be called of
    /// an empty table. False: these are other bytes, and what is noted now is void.
    bool take(std::string_view& bytes);

    /// Fetches what questions about this key will need.
    void prefetch(std::uint64_t key) const {
        __builtin_prefetch(&table_[place_named_by(key)]);
        forgotten_.prefetch(key);
    }

    std::size_t size() const { return size_; }

    std::size_t bytes() const { return places_ * sizeof(Place) + forgotten_.bytes(); }

    /// The same, counted anew. O(1): the table is one array of a length that it knows.
    std::size_t recount() const { return places_ * sizeof(Place) + forgotten_.recount(); }

    /// How many keys stand in the table. O(places), for tests of size().
    std::size_t count_keys() const;

    /// Whether names of forgotten keys take more than half of what they may.
    bool forgets_much() const { return 2 * forgotten_.bytes() > forgotten_.bytes_max(); }

private:
    struct Place {
        std::uint64_t key = 0;
        std::int64_t time = empty;  ///< Microseconds since 1970.
    };

    static constexpr std::int64_t empty = std::numeric_limits<std::int64_t>::min();

    bool is_free(std::size_t at) const { return table_[at].time == empty; }

    std::size_t place_named_by(std::uint64_t key) const;
    std::size_t find(std::uint64_t key) const;
    bool insert(std::size_t at, Place place);
    Instant newest_left_out(std::size_t keys_max, Instant since) const;
    void remove(std::size_t at);
    bool resize(std::size_t named);
    void reserve(std::size_t keys);
    void forget_dispensable(Instant dispensable, std::size_t places);
    void make_room(Instant remote);
    void forget(std::size_t at);
    Instant time_at(std::size_t at) const;
    std::size_t next_key(std::size_t at) const;

    std::size_t places_max_;
    std::size_t named_ = 0;   ///< Places that keys name; behind them some for the last run.
    std::size_t places_ = 0;  ///< All of them. The last is free, so that searches end.
    std::size_t size_ = 0;
    std::uint64_t notes_ = 0;
    std::size_t hand_ = 0;                        ///< Where forgetting goes on.
    Instant forgotten_through_ = Instant::min();  ///< Of those before what mattered.
    KeyFilter forgotten_;                         ///< The others.
    std::unique_ptr<Place[]> table_;
};

}  // namespace footfall::guard
