#pragma once

#include "deployment/event_parts.h"
#include "metrics/figures.h"

#include <cstddef>

namespace footfall::server {

/// What /metrics says of events. Nobody who counts waits for it:
/// figures are fetched when they are asked for. Thread-safe. `parts` and `metrics` must outlive it.
class EventFigures {
public:
    EventFigures(deployment::EventParts& parts, metrics::Metrics& metrics);

    /// Brings the metrics up to date.
    void update();

private:
    void update_cluster(std::size_t judged_lanes, const deployment::ClusterFigures& cluster);
    void update_shared_rates();

    deployment::EventParts* parts_;
    metrics::Figures figures_;
};

}  // namespace footfall::server
