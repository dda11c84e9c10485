#pragma once

#include "foundation/result.h"
#include "http_server/router.h"
#include "metrics/metrics.h"

#include <atomic>
#include <functional>

namespace footfall::api {

/// /healthz/live (the process runs), /healthz/ready (200 while `health` is well and the program is
/// not stopping), and /metrics. All must outlive the router.
void add_operations_routes(
    http_server::Router& router,
    std::function<Result<void>()> health,
    const metrics::Metrics& metrics,
    const std::atomic<bool>& draining
);

}  // namespace footfall::api
