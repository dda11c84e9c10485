#pragma once

#include "runtime/lanes.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

namespace footfall::intake {

/// Which lanes are this process's, for who writes of them beside the thread that reads them: so
/// that nothing is written of a lane any more once another process may have it.
///
/// begin(), is_over() and end() belong to the thread that reads; confirm(), hold() and keep() may
/// be called by any.
class LaneHolds {
public:
    /// After `silence_max` without confirm() others may have the lanes.
    explicit LaneHolds(std::chrono::steady_clock::duration silence_max)
        : silence_max_{silence_max} {}

    /// A lane for as long as it stays ours: when it goes and comes back, that is another hold.
    struct Hold {
        std::uint32_t lane;
        std::uint64_t number;
    };

    /// While it exists, the lane stays ours.
    using Kept = std::unique_lock<std::mutex>;

    /// These are ours. False: they were, but may be another's by now, and no lane is ours.
    bool begin(std::span<const std::uint32_t> lanes) {
        for (const std::uint32_t lane : lanes) {
            numbers_.at(lane) = ++last_number_;
        }
        if (over_.load()) {
            take_all();
            return false;
        }
        return true;
    }

    /// `ours`: as far as is known, all of them still are. False: they are not, or nobody said so
    /// for too long, and no lane is ours any more.
    bool confirm(bool ours) {
        const auto now = std::chrono::steady_clock::now();
        const bool still = ours && now <= confirmed_at_.load() + silence_max_;
        if (!still) {
            over_ = true;  // in this order: see begin()
            take_all();
        }
        confirmed_at_ = now;
        return still;
    }

    /// Whether confirm() took all lanes since this was asked last: they are to be left.
    bool is_over() { return over_.exchange(false); }

    /// These are given up. Waits until nobody keeps one, unless another process has them already.
    void end(std::span<const std::uint32_t> lanes, bool lost) {
        for (const std::uint32_t lane : lanes) {
            numbers_.at(lane) = 0;
        }
        if (!lost) {
            const std::lock_guard until_nobody_writes{keeping_};
        }
    }

    /// Absent: the lane is not ours.
    std::optional<Hold> hold(std::uint32_t lane) const {
        const std::uint64_t number = numbers_.at(lane).load();
        return number == 0 ? std::nullopt : std::optional{Hold{.lane = lane, .number = number}};
    }

    /// Absent: the lane is not ours any more, or may not be. Waits for whoever keeps another one.
    std::optional<Kept> keep(const Hold& hold) {
        Kept kept{keeping_};
        // In this order: confirm() takes the lanes away before it says when it was called.
        const bool in_time =
            std::chrono::steady_clock::now() <= confirmed_at_.load() + silence_max_;
        const bool ours = in_time && numbers_.at(hold.lane).load() == hold.number;
        return ours ? std::optional{std::move(kept)} : std::nullopt;
    }

private:
    void take_all() {
        for (auto& number : numbers_) {
            number = 0;
        }
    }

    const std::chrono::steady_clock::duration silence_max_;
    std::array<std::atomic<std::uint64_t>, runtime::lane_count> numbers_{};  ///< 0: not ours.
    std::uint64_t last_number_ = 0;
    std::atomic<bool> over_ = false;
    std::atomic<std::chrono::steady_clock::time_point> confirmed_at_ =
        std::chrono::steady_clock::now();
    std::mutex keeping_;
};

}  // namespace footfall::intake
