#pragma once

#include "metrics/metrics.h"
#include "storage_cassandra/limiter.h"

#include <cstdint>
#include <string_view>

namespace footfall::storage_cassandra {

/// What the program says of one limiter. Belongs to who has the limiter; lives no longer than its
/// Metrics.
class LimiterMetrics {
public:
    /// `kind`: of the requests.
    LimiterMetrics(std::string_view kind, metrics::Metrics& metrics);

    /// To be called about every second.
    void tell(const Limiter& limiter);

private:
    metrics::Gauge limit_;
    metrics::Gauge in_flight_;
    metrics::Counter failed_;
    metrics::Counter queued_;
    metrics::Counter speculations_;
    std::uint64_t told_failed_ = 0;
    std::uint64_t told_queued_ = 0;
    std::uint64_t told_speculations_ = 0;
};

}  // namespace footfall::storage_cassandra
