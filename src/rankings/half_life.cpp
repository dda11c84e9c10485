#include "rankings/half_life.h"

#include "foundation/check.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace footfall::rankings {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr unsigned fixed_bits = 60;
constexpr std::size_t steps = std::size_t{1} << HalfLife::steps_bits;

/// The whole part of a square root, bit by bit.
constexpr std::uint64_t root_of(Wide square) {
    std::uint64_t root = 0;
    for (std::uint64_t bit = std::uint64_t{1} << 63; bit > 0; bit >>= 1) {
        const Wide tried = root | bit;
        if (tried * tried <= square) {
            root |= bit;
        }
    }
    return root;
}

/// 2^(step / 1024) with `weight_bits` bits behind the point. Roots of 2 are multiplied rather than
/// exp2() asked, whose last bit is each library's own.
constexpr std::array<std::uint32_t, steps> growth = [] {
    std::array<std::uint64_t, HalfLife::steps_bits> roots{};
    std::uint64_t power = std::uint64_t{2} << fixed_bits;
    for (std::uint64_t& root : roots) {
        power = root_of(Wide{power} << fixed_bits);
        root = power;
    }
    std::array<std::uint32_t, steps> table{};
    for (std::size_t step = 0; step < steps; ++step) {
        std::uint64_t product = std::uint64_t{1} << fixed_bits;
        for (std::size_t bit = 0; bit < HalfLife::steps_bits; ++bit) {
            if ((step >> (HalfLife::steps_bits - 1 - bit) & 1) != 0) {
                product = static_cast<std::uint64_t>(Wide{product} * roots[bit] >> fixed_bits);
            }
        }
        constexpr unsigned dropped = fixed_bits - HalfLife::weight_bits;
        table[step] =
            static_cast<std::uint32_t>((product + (std::uint64_t{1} << (dropped - 1))) >> dropped);
    }
    return table;
}();

/// Far more than a double can tell apart, and no number of half-lives overflows an int.
constexpr std::int64_t farthest = 512;

}  // namespace

HalfLife::HalfLife(std::chrono::microseconds length) : length_{length} {
    CHECK(length >= shortest && length <= longest, "no half-life to count in", length.count());
}

HalfLife::Place HalfLife::place_of(Instant time) const {
    const std::int64_t length = length_.count();
    const std::int64_t at = time.time_since_epoch().count();
    std::int64_t half_life = at / length;
    std::int64_t rest = at % length;
    if (rest < 0) {
        rest += length;
        --half_life;
    }
    // A year of microseconds times 1,024 is below 2^55.
    return {
        .half_life = half_life, .step = static_cast<std::uint32_t>((rest << steps_bits) / length)
    };
}

std::uint64_t HalfLife::advance(Place event_time) {
    const std::int64_t half_life = event_time.half_life;
    if (newest_ && half_life <= *newest_) {
        return 0;
    }
    // Halves of the time line, at most, lie between them: the difference fits.
    const std::uint64_t by = newest_ ? static_cast<std::uint64_t>(half_life - *newest_) : 0;
    newest_ = half_life;
    return by;
}

HalfLife::Units HalfLife::units(Place event_time, double weight) const {
    CHECK(weight >= 0, "a weight is a number from 0 on", weight);
    CHECK(newest_ && event_time.half_life <= *newest_, "advance() knows of every event");
    const double grown = std::min(weight, largest_weight) * growth[event_time.step];
    const auto whole = static_cast<Units>(std::llround(grown)) << guard_bits;
    return shifted(whole, static_cast<std::uint64_t>(*newest_ - event_time.half_life));
}

double HalfLife::value(Units sum, Instant now) const {
    if (!newest_ || sum == 0) {
        return 0;
    }
    const Place place = place_of(now);
    const std::int64_t ahead = std::clamp(*newest_ - place.half_life, -farthest, farthest);
    return std::ldexp(static_cast<double>(sum), static_cast<int>(ahead) - int{guard_bits}) /
           growth[place.step];
}

}  // namespace footfall::rankings
