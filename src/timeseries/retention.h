#pragma once

#include "series/retention.h"

#include <chrono>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace footfall::timeseries {

/// How finely each series is kept for how long, by its name without tags. Of the resolutions of a
/// series the first is of points as they came, and its step that of graphs of them; the others are
/// of cells. A constant value.
class Retention {
public:
    /// Points for 90 days, and what standard() has beside them.
    Retention() : Retention{{}, standard(std::chrono::seconds{10}, std::chrono::days{90})} {}

    /// The first rule whose pattern is above a name holds; `otherwise` for names that have none.
    /// All of them are as check_resolutions() wants them.
    Retention(std::vector<series::RetentionRule> rules, std::vector<series::Resolution> otherwise);

    /// Points for so long, and beside them cells of 5 minutes for 180 days and of an hour for two
    /// years, so far as they are coarser, and kept longer, than the points.
    static std::vector<series::Resolution> standard(
        std::chrono::seconds step, std::chrono::seconds points_kept
    );

    /// Finest first; at least one.
    std::span<const series::Resolution> of(std::string_view name) const;

    /// How long points of any series are kept at least, and at most.
    std::chrono::seconds points_shortest() const { return points_shortest_; }

    std::chrono::seconds points_longest() const { return points_longest_; }

    /// How long there is anything of any series, at least.
    std::chrono::seconds shortest() const { return shortest_; }

private:
    std::vector<series::RetentionRule> rules_;
    std::vector<series::Resolution> otherwise_;
    std::chrono::seconds points_shortest_{};
    std::chrono::seconds points_longest_{};
    std::chrono::seconds shortest_{};
};

/// `invalid_input`, which says why: points are kept for less than three hours, within which they
/// become cells, or for more than ten years; or a step of cells does not fit whole into an hour,
/// which is what they are made of at once. Pure.
Result<void> check_resolutions(std::span<const series::Resolution> resolutions);

/// The finest of them that has what is so old; the last if none has. Pure.
std::size_t finest_covering(
    std::span<const series::Resolution> resolutions, std::chrono::seconds age
);

}  // namespace footfall::timeseries
