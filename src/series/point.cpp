#include "series/point.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>
#include <utility>

namespace footfall::series {

void settle(std::vector<Point>& points) {
    const auto not_ascending = [](const Point& one, const Point& next) {
        return one.time >= next.time;
    };
    if (std::ranges::adjacent_find(points, not_ascending) == points.end()) {
        return;
    }
    // Equal times in the order in which they were written.
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&points](std::size_t one, std::size_t other) {
        return std::tie(points[one].time, one) < std::tie(points[other].time, other);
    });
    std::vector<Point> settled;
    settled.reserve(points.size());
    for (const std::size_t at : order) {
        if (!settled.empty() && settled.back().time == points[at].time) {
            settled.back() = points[at];
        } else {
            settled.push_back(points[at]);
        }
    }
    points = std::move(settled);
}

}  // namespace footfall::series
