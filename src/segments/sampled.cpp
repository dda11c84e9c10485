#include "segments/sampled.h"

#include <algorithm>
#include <cmath>

namespace footfall::segments {
namespace {

/// Of a normal distribution: so far from the middle are 5 %, on both sides.
constexpr double within_95_percent = 1.96;

}  // namespace

Estimate estimate_of(std::uint64_t people, std::uint32_t one_of) {
    if (one_of <= 1) {
        return {.people = people, .exact = true, .error = 0, .low = people, .high = people};
    }
    const double part = 1.0 / one_of;
    const double left_out = 1.0 - part;
    const std::uint64_t found = people / one_of;
    const double middle =
        static_cast<double>(found) + within_95_percent * within_95_percent * left_out / 2;
    const double half =
        within_95_percent * std::sqrt(
                                left_out * (static_cast<double>(found) +
                                            within_95_percent * within_95_percent * left_out / 4)
                            );
    const double low = std::max(static_cast<double>(found), (middle - half) / part);
    return {
        .people = people,
        .exact = false,
        .error = found == 0 ? 1.0 : std::sqrt(left_out / static_cast<double>(found)),
        .low = found == 0 ? 0 : static_cast<std::uint64_t>(std::floor(low)),
        .high = static_cast<std::uint64_t>(std::ceil((middle + half) / part))
    };
}

}  // namespace footfall::segments
