#pragma once

#include "foundation/clock.h"

#include <chrono>
#include <cstdint>
#include <optional>

namespace footfall::rankings {

/// Sums that lose half of their worth in every half-life, in whole numbers: forward decay (Cormode,
/// Shkapenyuk, Srivastava, Xu, "Forward decay", ICDE 2009). An event is worth 2^(time / half-life)
/// of a landmark; a sum is brought to a moment only when somebody asks. The landmark moves by whole
/// half-lives with the newest event, and then every sum is shifted right by as many bits.
///
/// What is exact: units are whole numbers, so sums do not depend on the order in which they were
/// added. `guard_bits` bits below an event's own are kept: what is at most so many half-lives
/// behind the newest event is shifted without loss. Of older events less than a unit, 2^-32 of a
/// person of now, is lost at each shift. The growth of a half-life is a table of 1,024 steps of 14
/// bits made by whole-number arithmetic, so an event is worth up to 0.1 % less than by the formula,
/// and the same on every machine.
///
/// A value. Not thread-safe. Every call takes a few nanoseconds.
class HalfLife {
public:
    /// Fixed-point bits of a weight.
    static constexpr unsigned weight_bits = 14;
    static constexpr unsigned guard_bits = 18;
    static constexpr unsigned steps_bits = 10;
    /// The largest weight: so heavy a person is not to be taken at their word. 2^31 people of
    /// weight 1 within a half-life fit into 64 bits; what is above them is not counted.
    static constexpr double largest_weight = 1 << 20;
    static constexpr std::chrono::microseconds shortest{std::chrono::minutes{1}};
    static constexpr std::chrono::microseconds longest{std::chrono::days{366}};

    using Units = std::uint64_t;

    /// `length`: from `shortest` to `longest`.
    explicit HalfLife(std::chrono::microseconds length);

    /// A moment as the scale has it.
    struct Place {
        std::int64_t half_life;  ///< Since 1970.
        std::uint32_t step;      ///< Of this half-life, in 1,024ths.
    };

    Place place_of(Instant time) const;

    /// Moves the landmark to the half-life of an event unless it is there or farther: by how many,
    /// which is by how many bits shifted() has to shift every sum. 0 for most events.
    std::uint64_t advance(Place event_time);

    /// What an event is worth, once advance() knows of it: 0 when it is too old.
    Units units(Place event_time, double weight) const;

    /// A sum at a moment, in people of that moment. Events of the time after it are worth more
    /// than one each.
    double value(Units sum, Instant now) const;

    static Units shifted(Units sum, std::uint64_t half_lives) {
        return half_lives < 64 ? sum >> half_lives : 0;
    }

    /// Stops at the largest number.
    static Units added(Units left, Units right) {
        Units sum = 0;
        return __builtin_add_overflow(left, right, &sum) ? ~Units{0} : sum;
    }

    std::chrono::microseconds length() const { return length_; }

    /// The half-life of the newest event, counted from 1970; absent before the first event. It is
    /// all of the state, and restored by from_newest().
    std::optional<std::int64_t> newest() const { return newest_; }

    void from_newest(std::optional<std::int64_t> newest) { newest_ = newest; }

private:
    std::chrono::microseconds length_;
    std::optional<std::int64_t> newest_;
};

}  // namespace footfall::rankings
