#pragma once

#include "http_server/router.h"
#include "metrics/metrics.h"
#include "storage/store.h"

#include <atomic>

namespace footfall::api {

/// /healthz/live (the process runs), /healthz/ready (200 while writes are accepted and the program
/// is not stopping), and /metrics. All must outlive the router.
void add_operations_routes(
    http_server::Router& router,
    const storage::Store& store,
    const metrics::Metrics& metrics,
    const std::atomic<bool>& draining
);

}  // namespace footfall::api
