#pragma once

#include "guard/shared_rates.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace footfall::guard_redis {

/// What is still to be told, in order. When it is full the oldest goes: its window is over soonest.
/// Not thread-safe.
class NoteQueue {
public:
    explicit NoteQueue(std::size_t notes_max) : notes_max_{notes_max} {}

    /// Answers how many went to make room.
    std::size_t add(std::span<const guard::RateNote> notes) {
        notes_.insert(notes_.end(), notes.begin(), notes.end());
        added_ += notes.size();
        const std::size_t surplus = notes_.size() - std::min(notes_.size(), notes_max_);
        notes_.erase(notes_.begin(), notes_.begin() + static_cast<std::ptrdiff_t>(surplus));
        return surplus;
    }

    /// Takes the first, at most so many.
    std::vector<guard::RateNote> take(std::size_t most) {
        const auto end =
            notes_.begin() + static_cast<std::ptrdiff_t>(std::min(most, notes_.size()));
        std::vector<guard::RateNote> taken{notes_.begin(), end};
        notes_.erase(notes_.begin(), end);
        return taken;
    }

    std::size_t size() const { return notes_.size(); }

    /// So many were ever added, and so many of them have left.
    std::uint64_t added() const { return added_; }

    std::uint64_t left() const { return added_ - notes_.size(); }

private:
    std::size_t notes_max_;
    std::uint64_t added_ = 0;
    std::deque<guard::RateNote> notes_;
};

}  // namespace footfall::guard_redis
