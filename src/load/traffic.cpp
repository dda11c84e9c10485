#include "load/traffic.h"

#include <cmath>
#include <numbers>

namespace footfall::load {
namespace {

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
constexpr double unit = 0x1.0p-32;

/// The finaliser of splitmix64: one-to-one on 64 bits, so distinct arguments give distinct tokens.
constexpr std::uint64_t mix(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

}  // namespace

Traffic::Traffic(const TrafficShape& shape)
    : shape_{shape},
      mean_{static_cast<double>(shape.objects) / 2},
      deviation_{shape.deviation > 0 ? shape.deviation : static_cast<double>(shape.objects) / 6},
      token_start_{mix(shape.seed * golden + 1)},
      object_start_{mix(shape.seed * golden + 2)},
      get_below_{static_cast<std::uint64_t>(shape.get_share * 0x1.0p32)} {}

Operation Traffic::at(std::uint64_t n) const {
    const std::uint64_t token = mix(token_start_ + n);
    // Kind and object must not depend on each other, nor on the token.
    const std::uint64_t random = mix(object_start_ + n * golden);
    const bool is_get = get_below_ > 0 && (mix(random + golden) >> 32) < get_below_;
    return {.is_get = is_get, .object = object_of(random), .token = token};
}

std::uint64_t Traffic::object_of(std::uint64_t random) const {
    for (;;) {
        // Box and Muller, "A note on the generation of random normal deviates", 1958.
        const double radius_part = (static_cast<double>(random >> 32) + 0.5) * unit;
        const double angle_part = static_cast<double>(random & 0xffff'ffff) * unit;
        const double normal =
            std::sqrt(-2 * std::log(radius_part)) * std::cos(2 * std::numbers::pi * angle_part);
        const double drawn = std::floor(mean_ + deviation_ * normal);
        if (drawn >= 0 && drawn < static_cast<double>(shape_.objects)) {
            return static_cast<std::uint64_t>(drawn);
        }
        random = mix(random + golden);
    }
}

}  // namespace footfall::load
