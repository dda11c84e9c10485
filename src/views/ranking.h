#pragma once

#include "rankings/size_class.h"
#include "views/report.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::views {

/// What objects are ranked by.
enum class RankBy { people, views };

constexpr std::string_view name_of(RankBy by) {
    return by == RankBy::people ? "people" : "views";
}

using rankings::top_size_class;

struct RankedObject {
    std::string object;
    std::uint64_t views = 0;  ///< Counted events.
    std::uint64_t refused = 0;
    std::uint64_t people = 0;
    double error = 0;  ///< Of people, as in a report.
    bool exact = true;
};

/// As a ranking shows it.
inline RankedObject ranked(std::string object, const Report& report) {
    return {
        .object = std::move(object),
        .views = report.counts.counted,
        .refused = report.counts.events() - report.counts.counted,
        .people = report.people,
        .error = report.error,
        .exact = report.exact
    };
}

struct Ranking {
    std::vector<RankedObject> objects;
    std::optional<Instant> from = {};  ///< What came since; absent: of all time.
    bool knows_people = true;          ///< False: a window that begins within a day.
    bool complete = true;              ///< False: too many were alike in size to look at all.
    Standing standing = {};
};

}  // namespace footfall::views
