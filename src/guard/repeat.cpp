#include "guard/repeat.h"

#include <algorithm>

namespace footfall::guard {
namespace {

std::chrono::microseconds between(Instant left, Instant right) {
    return left < right ? right - left : left - right;
}

}  // namespace

std::optional<RepeatFinding> RepeatJudge::judge(std::uint64_t key, Instant time) const {
    // Also of a key that is there again something higher may have been forgotten.
    const Instant forgotten = seen_.forgotten_through();
    if (forgotten != Instant::min() && time - forgotten < windows_.reach()) {
        return std::nullopt;
    }
    const std::optional<Instant> highest = seen_.highest(key);
    if (!highest) {
        return RepeatFinding{};
    }
    return *highest <= time ? std::optional{finding(*highest, time)} : std::nullopt;
}

RepeatFinding RepeatJudge::judge(std::span<const Instant> counted, Instant time) const {
    if (counted.empty()) {
        return {};
    }
    const auto nearer = [time](Instant left, Instant right) {
        const auto to_left = between(left, time);
        const auto to_right = between(right, time);
        return to_left != to_right ? to_left < to_right : left < right;
    };
    return finding(*std::ranges::min_element(counted, nearer), time);
}

void RepeatJudge::counted(std::uint64_t key, Instant time) {
    latest_ = std::max(latest_, time);
    // What is further back than this, whoever is late by less than the reach does not need.
    seen_.note(key, time, latest_ - 2 * windows_.reach());
}

RepeatFinding RepeatJudge::finding(Instant nearest, Instant time) const {
    const auto apart = between(nearest, time);
    if (apart < windows_.fast) {
        return {.repeat = Repeat::fast, .nearest = nearest};
    }
    if (apart < windows_.slow) {
        return {.repeat = Repeat::slow, .nearest = nearest};
    }
    return {};
}

}  // namespace footfall::guard
