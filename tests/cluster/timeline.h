#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace footfall::cluster_test {

/// What the load does.
enum class Deed : std::uint8_t { post_events, put_token, read };

constexpr std::size_t deeds = 3;

/// How a request ended.
enum class Ending : std::uint8_t { good, refused, unanswered };

/// What happened within a stretch of time.
struct Stretch {
    std::array<std::uint64_t, deeds> good{};
    std::uint64_t refused = 0;     ///< Answered with 5xx.
    std::uint64_t unanswered = 0;  ///< The connection was refused, or broke, or was silent.
    std::chrono::milliseconds slowest{0};
    /// How long ago what a read did not show had been acknowledged, at most.
    std::chrono::milliseconds behind{0};

    /// Every deed was done, nothing failed, and what was acknowledged is counted soon.
    bool is_well() const;

    void add(const Stretch& other);
};

/// What happened in each second since it was made. Thread-safe.
class Timeline {
public:
    using Clock = std::chrono::steady_clock;

    /// A request that ended now, having begun then.
    void add(Deed deed, Ending ending, Clock::time_point began);

    void add_behind(std::chrono::milliseconds behind);

    /// From the second of `from` to now.
    Stretch since(Clock::time_point from) const;

    /// Whether each of the last `seconds` full seconds was well, all after `from`.
    bool is_well(std::size_t seconds, Clock::time_point from) const;

    /// The last `seconds` full seconds, a line each, for a person: what was done, and what went
    /// wrong.
    std::string last(std::size_t seconds) const;

    /// When the last second ended that was not well, of the full ones after `from`: so long after
    /// it; 0 if there was none.
    std::chrono::milliseconds last_trouble(Clock::time_point from) const;

private:
    std::size_t second_of(Clock::time_point when) const;
    Stretch& now();

    const Clock::time_point start_ = Clock::now();
    mutable std::mutex mutex_;
    std::vector<Stretch> seconds_;  ///< Guarded by mutex_.
};

}  // namespace footfall::cluster_test
