#include "audience/noise.h"

#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string_view>

namespace footfall::audience {
namespace {

constexpr double sigma_of_one = 2.8;  ///< For one number a day; noise.h says why.
constexpr double farthest = 4;        ///< In standard deviations.

/// What noise is drawn from: nothing else is hashed to the same.
struct Drawn {
    std::array<char, 8> purpose{'n', 'o', 'i', 's', 'e', ' ', ' ', ' '};
    std::int64_t day = 0;
    std::uint64_t question = 0;
    std::uint64_t draw = 0;
};

/// Evenly from above 0 to 1.
double even(SipKey secret, const Drawn& drawn) {
    std::array<char, sizeof(Drawn)> bytes{};
    std::memcpy(bytes.data(), &drawn, sizeof drawn);
    const std::uint64_t bits =
        siphash13(secret, std::string_view{bytes.data(), bytes.size()}) >> 11;
    return (static_cast<double>(bits) + 1) / 9007199254740992.0;  // 2^53
}

}  // namespace

double sigma(const Terms& terms) {
    return sigma_of_one * std::sqrt(static_cast<double>(terms.numbers));
}

std::int64_t noise_max(const Terms& terms) {
    return static_cast<std::int64_t>(std::ceil(farthest * sigma(terms)));
}

std::int64_t noise(SipKey secret, std::int32_t day, std::uint64_t question, const Terms& terms) {
    Drawn drawn{.day = day, .question = question};
    const std::int64_t most = noise_max(terms);
    for (;; ++drawn.draw) {
        // Box and Muller, "A note on the generation of random normal deviates", 1958.
        const double distance = std::sqrt(-2 * std::log(even(secret, drawn)));
        ++drawn.draw;
        const double angle = 2 * std::numbers::pi * even(secret, drawn);
        const auto people =
            static_cast<std::int64_t>(std::llround(sigma(terms) * distance * std::cos(angle)));
        // One in 16,000 is drawn anew.
        if (people >= -most && people <= most) {
            return people;
        }
    }
}

std::uint64_t least_shown(const Terms& terms) {
    return terms.least + static_cast<std::uint64_t>(noise_max(terms));
}

std::optional<std::uint64_t> shown(std::uint64_t people, std::int64_t noise, const Terms& terms) {
    const std::int64_t number = static_cast<std::int64_t>(people) + noise;
    if (number < static_cast<std::int64_t>(least_shown(terms))) {
        return std::nullopt;
    }
    return static_cast<std::uint64_t>(number);
}

}  // namespace footfall::audience
