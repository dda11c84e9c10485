#pragma once

#include "foundation/address.h"
#include "jobs/settings.h"

#include <chrono>
#include <cstddef>
#include <optional>

namespace footfall::timeseries::routes {

/// How the metrics store is set. Constant once it is read.
class TimeSeriesSettings final : public jobs::Options {
public:
    std::optional<AddressAndPort> carbon;  ///< Absent: nothing is listened for.
    std::chrono::seconds keep = std::chrono::days{90};
    std::chrono::seconds step{10};
    std::size_t series_max = 1'000'000;
};

/// carbon, metrics_keep, metrics_step, metrics_series.
extern const jobs::JobSettings timeseries_settings;

}  // namespace footfall::timeseries::routes
