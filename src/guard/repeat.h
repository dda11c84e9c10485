#pragma once

#include "foundation/clock.h"
#include "guard/seen_table.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

namespace footfall::guard {

/// How far apart two counted events of one actor, action and object have to be. 0 switches a window
/// off.
struct RepeatWindows {
    std::chrono::microseconds fast = std::chrono::seconds{30};
    std::chrono::microseconds slow = std::chrono::hours{1};

    /// Events this far apart do not matter to each other.
    std::chrono::microseconds reach() const { return std::max(fast, slow); }
};

enum class Repeat { none, fast, slow };

/// What the rule says of an event, and the nearest counted one, where it is a repeat.
struct RepeatFinding {
    Repeat repeat = Repeat::none;
    Instant nearest{};

    friend bool operator==(const RepeatFinding&, const RepeatFinding&) = default;
};

/// Judges one lane's events against repeats: an event is one if a counted event of the same key
/// stands in the lane already, less than a window before or after it. The nearest decides, of two
/// the earlier.
///
/// Memory alone judges whose time is at or after all of its key that were counted, unless it is
/// late by more than the reach and memory was short. Of all else only the store knows: then the
/// times that were counted near it have to be looked up (table guard_seen). A key is a keyed hash
/// of action, object and actor.
///
/// Belongs to a lane, used under its mutex; pure but for its memory. Its state is that of the
/// counted events it was told of, in any order.
class RepeatJudge {
public:
    RepeatJudge(RepeatWindows windows, std::size_t memory_bytes)
        : windows_{windows}, seen_{memory_bytes} {}

    /// Absent: memory does not suffice.
    std::optional<RepeatFinding> judge(std::uint64_t key, Instant time) const;

    /// The same from the counted times of the key that are less than reach() from `time`, in any
    /// order. They must be whole: what memory knows is not asked.
    RepeatFinding judge(std::span<const Instant> counted, Instant time) const;

    /// The event was counted.
    void counted(std::uint64_t key, Instant time);

    const RepeatWindows& windows() const { return windows_; }

    std::size_t bytes() const { return seen_.bytes(); }

private:
    RepeatFinding finding(Instant nearest, Instant time) const;

    RepeatWindows windows_;
    SeenTable seen_;
    Instant latest_ = Instant::min();  ///< Of all that were counted.
};

}  // namespace footfall::guard
