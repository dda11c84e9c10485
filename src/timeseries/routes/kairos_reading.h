#pragma once

#include "foundation/result.h"
#include "kairos/evaluate.h"
#include "kairos/query.h"
#include "timeseries/time_series.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::timeseries::routes {

/// What there is of a metric, and how it is to be asked of that.
struct KairosRead {
    std::vector<kairos::Read> series;
    /// As it was asked; but where cells were read for points, whose number is asked for, it is the
    /// sum of what they count.
    kairos::MetricQuery metric;
};

/// Reads the series of one question: no more than is allowed in all. A series whose points of the
/// first of the time are not kept any more is read as cells, each a point at its beginning: the
/// least, largest, sum, number or last of the points, as the first aggregator wants, else their
/// mean.
class KairosReading {
public:
    KairosReading(const TimeSeries& series, std::int64_t now, std::stop_token left)
        : series_{&series}, now_{now}, left_{std::move(left)} {}

    /// `invalid_input`: it is too much; `cancelled`.
    Result<KairosRead> read(const kairos::MetricQuery& metric, const kairos::Query& query);

private:
    Result<kairos::Points> points_of(
        const std::string& name,
        const series::Resolution& resolution,
        const kairos::MetricQuery& metric,
        const kairos::Query& query
    ) const;

    const TimeSeries* series_;
    const std::int64_t now_;  ///< Milliseconds since 1970.
    const std::stop_token left_;
    std::size_t count_ = 0;
    std::size_t points_ = 0;
};

}  // namespace footfall::timeseries::routes
