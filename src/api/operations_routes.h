#pragma once

#include "api/front_door.h"
#include "foundation/result.h"

#include <atomic>
#include <functional>
#include <string>

namespace footfall::api {

/// /healthz/live (the process runs), /healthz/ready (200 while `health` is well and the program is
/// not stopping), and /metrics: `metrics_text`, on an io thread. All must outlive the routes.
void add_operations_routes(
    FrontDoor& door,
    std::function<Result<void>()> health,
    std::function<std::string()> metrics_text,
    const std::atomic<bool>& draining
);

}  // namespace footfall::api
