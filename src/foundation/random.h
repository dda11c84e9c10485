#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

namespace footfall {

/// A seeded generator: xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number
/// generators", 2018), filled by splitmix64. The same seed gives the same numbers on every machine,
/// which std::mt19937 with the standard distributions does not promise: tests and the demo must be
/// repeatable. Not for secrets. Not thread-safe.
class Random {
public:
    using result_type = std::uint64_t;

    explicit Random(std::uint64_t seed) {
        for (std::uint64_t& word : state_) {
            seed += 0x9e3779b97f4a7c15;
            std::uint64_t mixed = seed;
            mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
            mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
            word = mixed ^ (mixed >> 31);
        }
    }

    static constexpr result_type min() { return 0; }

    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

    std::uint64_t operator()() {
        const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
        const std::uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    /// Uniform in [0, bound); `bound` above 0. The bias of at most bound / 2^64 is far below
    /// anything we can see.
    std::uint64_t below(std::uint64_t bound) {
        return static_cast<std::uint64_t>(
            (static_cast<unsigned __int128>((*this)()) * bound) >> 64
        );
    }

    /// Uniform in [0, 1).
    double fraction() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

private:
    std::array<std::uint64_t, 4> state_{};
};

}  // namespace footfall
