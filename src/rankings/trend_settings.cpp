#include "rankings/trend_settings.h"

#include "foundation/names.h"
#include "rankings/half_life.h"
#include "rankings/slot_index.h"

#include <fmt/format.h>

#include <cmath>

namespace footfall::rankings {
namespace {

std::unexpected<Error> refused_setting(std::string message) {
    return fail(ErrorKind::invalid_input, "trending: " + std::move(message));
}

/// A lane has a quarter more for newcomers.
constexpr std::size_t counters_largest = SlotIndex::slots_most / 5 * 4;

/// The longest name fits once a quarter of all had to go.
constexpr std::size_t names_bytes_smallest = 8 * longest_name_bytes;

bool is_half_life(std::chrono::microseconds length) {
    return length >= HalfLife::shortest && length <= HalfLife::longest;
}

bool is_from_zero(double number) {
    return std::isfinite(number) && number >= 0;
}

}  // namespace

Result<void> check_trend_settings(const TrendSettings& settings) {
    if (!is_half_life(settings.fast_half_life) || !is_half_life(settings.slow_half_life)) {
        return refused_setting("a half-life is between a minute and 366 days");
    }
    if (settings.fast_half_life > settings.slow_half_life) {
        return refused_setting("the fast half-life is not longer than the slow one");
    }
    if (!is_from_zero(settings.least_fast) || !is_from_zero(settings.least_score)) {
        return refused_setting("the least sum and the least score are numbers from 0 on");
    }
    if (settings.counters == 0 || settings.counters > counters_largest) {
        return refused_setting(
            fmt::format("a lane has between 1 and {} candidates", counters_largest)
        );
    }
    if (settings.names_bytes < names_bytes_smallest) {
        return refused_setting(
            fmt::format("names of a lane have at least {} bytes", names_bytes_smallest)
        );
    }
    return {};
}

}  // namespace footfall::rankings
