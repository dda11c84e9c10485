#pragma once

#include <cstdint>
#include <vector>

namespace footfall::series {

/// What a series was at a time: milliseconds since 1970-01-01 UTC, and any double, NaN and
/// infinities among them.
struct Point {
    std::int64_t time = 0;
    double value = 0;
};

/// Takes points in the order in which they were written, and leaves one a time, the last that was
/// written, in ascending order of time. So writing points again, late or twice, changes nothing.
/// Costs one comparison a point where times ascend already, else a stable sort.
void settle(std::vector<Point>& points);

}  // namespace footfall::series
