#pragma once

#include "foundation/clock.h"
#include "foundation/siphash.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::guard {

/// Where an event stands in the log of judged events.
struct EventPlace {
    std::uint32_t lane = 0;
    std::uint32_t log = 0;  ///< 0: this process's own; else tells those of others apart.
    std::uint64_t offset = 0;

    friend auto operator<=>(const EventPlace&, const EventPlace&) = default;
};

/// At most `count` counted events within `window`.
struct RateLimit {
    std::uint32_t count = 1;
    std::chrono::microseconds window{};
};

/// Whom a rule limits, by the hash of RateState::key_of(), and to what.
struct RateKey {
    std::uint64_t key = 0;
    RateLimit limit;
};

/// In which part of time it is, each as long as the window: any window lies in two parts.
std::int64_t rate_part(Instant time, std::chrono::microseconds window);

/// What rules on rates need of the past, over all lanes: of each key and part of time the newest of
/// its counted events, one more than its limit. So what is kept of a key depends on which events
/// were noted, not on their order, and noting one twice changes nothing. Who comes late is judged
/// by what is still there, so rather counted than refused; and an event of a clock that was ahead
/// displaces only those of its part.
///
/// Within a bound of memory: when half of it is full, parts of keys that were noted in the half
/// before and not since are forgotten. It is rebuilt by noting the counted events of the log again.
///
/// Thread-safe: parts with a mutex each, held for a search among at most `count` places. Two events
/// of one key that are judged at the same moment do not see each other: then there may be as many
/// above the limit as there are threads.
/// Cost: 100 to 200 ns to ask or to note; 24 bytes an event and about 100 a part of a key.
class RateState {
public:
    /// `secret` keeps outsiders from aiming at the keys of others.
    RateState(SipKey secret, std::size_t memory_bytes);

    /// Names who a rule limits.
    std::uint64_t key_of(std::string_view rule, std::string_view who) const;

    /// How many counted events of the key stand in the window that ends with `time`, but for the
    /// one at `self`: at most limit.count + 1.
    std::size_t counted(
        std::uint64_t key, RateLimit limit, Instant time, std::optional<EventPlace> self
    ) const;

    /// The event at `place` was counted.
    void note(std::uint64_t key, RateLimit limit, Instant time, EventPlace place);

    /// Forgets all: what was noted may have been lost.
    void clear();

    /// What is stored together of it: keys that fall into one of so many parts.
    static constexpr std::size_t parts = 64;

    /// Appends what it holds of one part for take_part().
    void append_part(std::size_t part, std::string& bytes) const;

    /// Holds what append_part() appended, and takes it off the front of `bytes`. To be called of an
    /// empty part; if there is less memory now it forgets the older keys. False: these are other
    /// bytes; clear() is to be called.
    bool take_part(std::size_t part, std::string_view& bytes);

    /// An event that was noted did not happen after all.
    void note_undone() { has_undone_ = true; }

    /// Whether there was such a one since clear(): what is held follows from no log alone.
    bool has_undone() const { return has_undone_; }

    std::size_t bytes() const;

    /// The same, counted anew. O(keys).
    std::size_t recount() const;

private:
    struct Entry {
        Instant time;
        EventPlace place;

        friend auto operator<=>(const Entry&, const Entry&) = default;
    };

    using Entries = std::vector<Entry>;  ///< In their order.
    using Keys = boost::unordered_flat_map<std::uint64_t, Entries>;

    struct Part {
        mutable std::mutex mutex;
        // Guarded by it.
        Keys young;
        Keys old;
        std::size_t young_bytes = 0;
        std::size_t old_bytes = 0;

        // `part_key`: of the key and a part of time.
        const Entries* find(std::uint64_t part_key) const;
        Entries& take(std::uint64_t part_key);
        static std::size_t bytes_of(const Keys& keys);
    };

    static void append_keys(const Keys& keys, std::string& bytes);
    static bool take_keys(std::string_view& bytes, Keys& keys);
    static bool take_entries(std::string_view& bytes, Entries& entries);
    static void insert(Entries& entries, const Entry& entry, RateLimit limit);

    const Part& part_of(std::uint64_t key) const { return parts_[key % parts]; }

    Part& part_of(std::uint64_t key) { return parts_[key % parts]; }

    SipKey secret_;
    std::size_t young_bytes_max_;  ///< Of one part.
    std::array<Part, parts> parts_;
    std::atomic<bool> has_undone_ = false;
};

}  // namespace footfall::guard
