#include "timeseries_routes/kairos_reading.h"

#include "series/cell.h"
#include "timeseries_routes/kairos_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

constexpr std::size_t query_series_max = 1000;

bool counts(const kairos::MetricQuery& metric) {
    return !metric.aggregators.empty() && metric.aggregators.front().doing == kairos::Doing::count;
}

/// What is shown of a cell to the first aggregator.
series::Figure figure_for(const kairos::MetricQuery& metric) {
    if (metric.aggregators.empty()) {
        return series::Figure::average;
    }
    switch (metric.aggregators.front().doing) {
        case kairos::Doing::min:
            return series::Figure::min;
        case kairos::Doing::max:
            return series::Figure::max;
        case kairos::Doing::sum:
            return series::Figure::sum;
        case kairos::Doing::count:
            return series::Figure::count;
        case kairos::Doing::last:
            return series::Figure::last;
        default:
            return series::Figure::average;
    }
}

}  // namespace

Result<KairosRead> KairosReading::read(
    const kairos::MetricQuery& metric, const kairos::Query& query
) {
    TRY(std::vector<KairosSeries> all,
        series_of(*series_, metric, query_series_max - count_, left_));
    count_ += all.size();
    KairosRead read{.series = {}, .metric = metric};
    const auto age = std::chrono::ceil<std::chrono::seconds>(
        std::chrono::milliseconds{now_ - std::max<kairos::Time>(query.from, 0)}
    );
    std::vector<std::size_t> finest;  // Of each series: which of its resolutions; 0 is of points.
    finest.reserve(all.size());
    for (const KairosSeries& each : all) {
        finest.push_back(finest_covering(series_->resolutions(each.name), age));
    }
    const bool with_cells = std::ranges::any_of(finest, [](std::size_t at) { return at > 0; });
    const bool sum_up = with_cells && counts(metric);
    if (sum_up) {
        read.metric.aggregators.front().doing = kairos::Doing::sum;
    }
    for (std::size_t at = 0; at < all.size(); ++at) {
        if (left_.stop_requested()) {
            return fail(ErrorKind::cancelled, "query: nobody waits");
        }
        const std::string& name = all[at].name;
        const bool is_points = finest[at] == 0;
        TRY(kairos::Points points,
            is_points ? series_->read(name, query.from, query.until)
                      : points_of(name, series_->resolutions(name)[finest[at]], metric, query));
        points_ += points.size();
        if (points_ > kairos::points_max) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "that is more than {} points: ask for a shorter time, or for fewer series",
                    kairos::points_max
                )
            );
        }
        for (series::Point& point : points) {
            point.value = sum_up && is_points ? 1 : point.value;
        }
        if (!points.empty()) {
            read.series.push_back({.tags = std::move(all[at].tags), .points = std::move(points)});
        }
    }
    return read;
}

Result<kairos::Points> KairosReading::points_of(
    const std::string& name,
    const series::Resolution& resolution,
    const kairos::MetricQuery& metric,
    const kairos::Query& query
) const {
    kairos::Points points;
    TRY_VOID(
        series_->read_figure(name, resolution, query.from, query.until, figure_for(metric), points)
    );
    return points;
}

}  // namespace footfall::timeseries::routes
