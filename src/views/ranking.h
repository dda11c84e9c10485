#pragma once

#include "views/report.h"

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::views {

/// What objects are ranked by.
enum class RankBy { people, views };

constexpr std::string_view name_of(RankBy by) {
    return by == RankBy::people ? "people" : "views";
}

/// The size class of a number above 0: floor(log4(number)). Coarse on purpose, as of counters: an
/// object changes its class once every fourfold growth.
constexpr std::uint8_t size_class_of(std::uint64_t number) {
    return number == 0 ? 0 : static_cast<std::uint8_t>((std::bit_width(number) - 1) / 2);
}

/// Of any number.
inline constexpr std::uint8_t top_size_class = 31;

struct RankedObject {
    std::string object;
    std::uint64_t views = 0;  ///< Counted events.
    std::uint64_t refused = 0;
    std::uint64_t people = 0;
    double error = 0;  ///< Of people, as in a report.
    bool exact = true;
};

struct Ranking {
    std::vector<RankedObject> objects;
    bool complete = true;  ///< False: too many were alike in size to look at all.
    Standing standing = {};
};

}  // namespace footfall::views
