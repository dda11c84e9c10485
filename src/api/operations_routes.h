#pragma once

#include "foundation/result.h"
#include "http_server/router.h"

#include <atomic>
#include <functional>
#include <string>

namespace footfall::api {

/// /healthz/live (the process runs), /healthz/ready (200 while `health` is well and the program is
/// not stopping), and /metrics: `metrics_text`, on an io thread. All must outlive the router.
void add_operations_routes(
    http_server::Router& router,
    std::function<Result<void>()> health,
    std::function<std::string()> metrics_text,
    const std::atomic<bool>& draining
);

}  // namespace footfall::api
