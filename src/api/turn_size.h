#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>

namespace footfall::api {

/// How many lines of a batch make a turn: as many as take `wanted`, by the turns of late. Lines
/// cost from some microseconds to some hundred, when each of them is looked up in the store.
/// Thread-safe.
class TurnSize {
public:
    static constexpr std::chrono::milliseconds wanted{20};
    static constexpr std::size_t least = 20;
    static constexpr std::size_t most = 2000;

    std::size_t lines() const { return lines_.load(std::memory_order_relaxed); }

    /// A turn had so many lines and took so long. Short ones say little: only a full turn makes
    /// those after it longer.
    void note(std::size_t lines, std::chrono::nanoseconds took) {
        const std::size_t now = this->lines();
        if (took > wanted) {
            const double share = std::chrono::duration<double>{wanted} / took;
            const auto fits = static_cast<std::size_t>(static_cast<double>(lines) * share);
            set(std::max(fits, now / 4));
        } else if (lines >= now && took < wanted / 2) {
            set(2 * now);
        }
    }

private:
    void set(std::size_t lines) {
        lines_.store(std::clamp(lines, least, most), std::memory_order_relaxed);
    }

    std::atomic<std::size_t> lines_ = 500;
};

}  // namespace footfall::api
