#pragma once

#include "foundation/address.h"
#include "jobs/settings.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace footfall::timeseries::routes {

/// How the metrics store is set. Constant once it is read.
class TimeSeriesSettings final : public jobs::Options {
public:
    std::optional<AddressAndPort> carbon;  ///< Absent: nothing is listened for.
    std::chrono::seconds keep = std::chrono::days{90};
    std::chrono::seconds step{10};
    std::size_t series_max = 1'000'000;
    std::string own;  ///< By what name the program keeps its own metrics; empty: it does not.
};

/// carbon, metrics_keep, metrics_step, metrics_series, metrics_own.
extern const jobs::JobSettings timeseries_settings;

}  // namespace footfall::timeseries::routes
