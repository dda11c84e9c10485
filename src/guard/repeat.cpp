#include "guard/repeat.h"

#include <algorithm>

namespace footfall::guard {
namespace {

std::chrono::microseconds between(Instant left, Instant right) {
    return left < right ? right - left : left - right;
}

}  // namespace

void RepeatJudge::set_memory(std::size_t memory_bytes) {
    if (memory_bytes != memory_bytes_) {
        memory_bytes_ = memory_bytes;
        seen_.set_bytes_max(memory_bytes / 2, memory_bytes / 2, latest_ - 2 * reach_);
    }
}

std::optional<NearestCounted> RepeatJudge::judge(
    std::uint64_t key, Instant time, std::span<const Instant> also
) const {
    // Also of a key that is there again something higher may have been forgotten.
    const Instant forgotten = forgotten_through();
    const bool out_of_memory = forgotten != Instant::min() && time - forgotten < reach_;
    if (out_of_memory || seen_.may_have_forgotten(key, time - reach_)) {
        return std::nullopt;
    }
    std::optional<Instant> highest = seen_.highest(key);
    for (const Instant each : also) {
        highest = std::max(highest.value_or(each), each);
    }
    if (!highest) {
        return NearestCounted{};
    }
    if (*highest > time) {
        return std::nullopt;
    }
    return NearestCounted{is_within_reach(*highest, time) ? highest : std::nullopt};
}

NearestCounted RepeatJudge::nearest(std::span<const Instant> counted, Instant time) const {
    const auto nearer = [time](Instant left, Instant right) {
        const auto to_left = between(left, time);
        const auto to_right = between(right, time);
        return to_left != to_right ? to_left < to_right : left < right;
    };
    const auto found = std::ranges::min_element(counted, nearer);
    if (found == counted.end() || !is_within_reach(*found, time)) {
        return {};
    }
    return {*found};
}

void RepeatJudge::counted(std::uint64_t key, Instant time, Instant arrival) {
    latest_ = std::min(std::max(latest_, time), arrival);
    // What is further back than twice the reach, whoever is late by less than the reach does not
    // need; what is further back than the reach, whoever is not late at all.
    seen_.note(key, time, latest_ - 2 * reach_, latest_ - reach_);
}

void RepeatJudge::forgotten(Instant through) {
    not_loaded_ = std::max(not_loaded_, through);
}

bool RepeatJudge::is_within_reach(Instant left, Instant right) const {
    return between(left, right) < reach_;
}

Instant RepeatJudge::forgotten_through() const {
    return std::max(seen_.forgotten_through(), not_loaded_);
}

}  // namespace footfall::guard
