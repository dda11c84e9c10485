#pragma once

#include "graphite/aggregation.h"
#include "graphite/drawn.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

/// Lines beside one another, time by time.
namespace footfall::graphite {

/// Brings lines to one step, the least common multiple of theirs, by means of neighbours. Pure.
void bring_to_one_step(Lines& lines);

/// One line of what `aggregation` makes of the values of each time; of the tags those that all
/// have. `lines` are not empty. Pure.
Drawn aggregated(
    Lines lines, Aggregation aggregation, const std::string& name, const std::string& by
);

/// Brings lines into the order of `key_of` each, from the greatest down if `is_falling`; those of
/// equal keys stay as they stand. Pure.
template <class KeyOf>
void sort_lines(Lines& lines, bool is_falling, const KeyOf& key_of) {
    using Key = decltype(key_of(lines.front()));
    std::vector<std::pair<Key, std::size_t>> keys;
    keys.reserve(lines.size());
    for (const Drawn& each : lines) {
        keys.emplace_back(key_of(each), keys.size());
    }
    std::ranges::sort(keys, [&](const auto& one, const auto& other) {
        if (one.first != other.first) {
            return is_falling ? other.first < one.first : one.first < other.first;
        }
        return one.second < other.second;
    });
    Lines in_order;
    in_order.reserve(lines.size());
    for (const auto& [key, at] : keys) {
        in_order.push_back(std::move(lines[at]));
    }
    lines = std::move(in_order);
}

/// What lines were made of, each once: "a.*,b".
std::string paths_of(const Lines& lines);

}  // namespace footfall::graphite
