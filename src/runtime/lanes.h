#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>

namespace footfall::runtime {

/// How many lanes there are, wherever something is split by the hash of an object.
inline constexpr std::size_t lane_count = 64;

/// State split into 64 lanes, each behind its own mutex. An object belongs to the lane its hash
/// names. Product code is a plain synchronous function run inside with(): it never waits, never
/// does I/O and never enters a second lane. An uncontended lane costs about 20 ns; handing the
/// request to another thread would cost a wake-up of 15 us.
template <class State>
class Lanes {
public:
    static constexpr std::size_t count = lane_count;

    /// The lane of an object, from a well-mixed hash of its name.
    static std::size_t lane_of(std::uint64_t hash) { return static_cast<std::size_t>(hash >> 58); }

    /// Runs `function(state)` with the lane's mutex held and answers what it answers, which must
    /// not refer to `state`.
    template <class Function>
    auto with(std::size_t lane, Function&& function) {
        Lane& entered = lanes_[lane];
        const std::lock_guard lock{entered.mutex};
        return std::forward<Function>(function)(entered.state);
    }

private:
    /// A line of cache a lane, so that two threads in neighbouring lanes do not slow each other.
    struct alignas(64) Lane {
        std::mutex mutex;
        State state{};
    };

    std::array<Lane, count> lanes_;
};

}  // namespace footfall::runtime
