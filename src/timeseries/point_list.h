#pragma once

#include "timeseries/time_series.h"

#include <cstddef>
#include <cstring>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

namespace footfall::timeseries {

/// Points on their way to the store, with the names of their series: these stand in a few large
/// pieces of memory, so a point more allocates nothing. A plain value for one thread.
class PointList {
public:
    PointList() = default;
    PointList(const PointList&) = delete;
    PointList& operator=(const PointList&) = delete;
    ~PointList() = default;

    /// Copies the name.
    void add(std::string_view name, series::Point point) {
        auto* const copy = static_cast<char*>(names_.allocate(name.size(), 1));
        std::memcpy(copy, name.data(), name.size());
        points_.push_back({.name = {copy, name.size()}, .point = point});
    }

    /// In the order in which they were added; valid as long as the list is.
    std::span<const PointOf> points() const { return points_; }

    std::size_t size() const { return points_.size(); }

    bool empty() const { return points_.empty(); }

private:
    std::pmr::monotonic_buffer_resource names_;
    std::vector<PointOf> points_;
};

}  // namespace footfall::timeseries
