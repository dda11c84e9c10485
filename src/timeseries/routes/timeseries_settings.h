#pragma once

#include "foundation/address.h"
#include "jobs/settings.h"
#include "timeseries/retention.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace footfall::timeseries::routes {

/// How the metrics store is set. Constant once it is read.
class TimeSeriesSettings final : public jobs::Options {
public:
    std::optional<AddressAndPort> carbon;               ///< Absent: nothing is listened for.
    std::chrono::seconds keep = std::chrono::days{90};  ///< Of points without a rule.
    std::chrono::seconds step{10};
    std::vector<series::RetentionRule> rules;
    std::size_t series_max = 1'000'000;
    /// By what name the program keeps its own metrics; empty: it does not. Absent: see own_name().
    std::optional<std::string> own;

    /// The name by which a server keeps its own metrics if it is told none; empty: it does not.
    /// Where several share the store each needs one of its own, which nobody but the operator
    /// knows.
    std::string own_name(bool shared) const { return own.value_or(shared ? "" : "local"); }

    /// Of all three.
    Retention retention() const { return {rules, Retention::standard(step, keep)}; }
};

/// carbon, metrics_keep, metrics_step, metrics_retention, metrics_series, metrics_own.
extern const jobs::JobSettings timeseries_settings;

}  // namespace footfall::timeseries::routes
