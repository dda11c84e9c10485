#include "ads/line_groups.h"

#include <functional>
#include <unordered_map>
#include <variant>

namespace footfall::ads {
namespace {

/// What lines of a group have in common. Lines of a lane that are written together share the names
/// of equal texts; if not, there are two groups where one would do.
struct Common {
    const LineNames* names;
    Day day;
    Day arrived;
    Month booked;
    std::uint16_t quarter;

    bool operator==(const Common&) const = default;
};

Common common_of(const Line& line) {
    return {
        .names = line.names.get(),
        .day = line.day,
        .arrived = line.arrived,
        .booked = line.booked,
        .quarter = line.quarter
    };
}

struct HashOfCommon {
    std::size_t operator()(const Common& common) const {
        // Nearly all lines that wait are of the same days.
        return std::hash<const void*>{}(common.names) * 31 + common.quarter;
    }
};

}  // namespace

LineSum LineGroup::sum_from(std::uint64_t offset) const {
    LineSum some;
    for (const Line* const each : lines) {
        if (each->offset >= offset) {
            some.add(*each);
        }
    }
    return some;
}

void LineGroups::take(std::uint32_t lane, std::span<const Entry> entries) {
    struct Place {
        const Line* line;
        std::size_t group;
    };

    std::vector<Place> places;
    places.reserve(entries.size());
    std::unordered_map<Common, std::size_t, HashOfCommon> numbers;
    std::vector<LineSum> sums;
    for (const Entry& entry : entries) {
        if (const auto* const line = std::get_if<Line>(&entry.what)) {
            const std::size_t group =
                numbers.try_emplace(common_of(*line), sums.size()).first->second;
            if (group == sums.size()) {
                sums.emplace_back();
            }
            sums[group].add(*line);
            places.push_back({.line = line, .group = group});
        }
    }
    std::vector<std::size_t> begins;  // of each group, and then where its next line goes
    begins.reserve(sums.size());
    for (std::size_t begin = 0; const LineSum& sum : sums) {
        begins.push_back(begin);
        begin += sum.count;
    }
    std::vector<const Line*>& lines = lines_.emplace_back(places.size());
    for (std::size_t group = 0; group < sums.size(); ++group) {
        groups_.push_back(
            {.lane = lane,
             .lines = std::span{lines}.subspan(begins[group], sums[group].count),
             .sum = sums[group]}
        );
    }
    for (const Place& each : places) {
        lines[begins[each.group]++] = each.line;
    }
}

}  // namespace footfall::ads
