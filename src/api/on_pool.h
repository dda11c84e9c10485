#pragma once

#include "http_server/request.h"
#include "runtime/blocking_pool.h"
#include "runtime/task.h"

#include <functional>

namespace footfall::api {

/// Runs `work` on a thread of `pool` and answers what it answers; 503 when too many wait already.
/// What `work` throws, the connection answers for.
runtime::Task<http_server::Response> on_pool(
    runtime::BlockingPool* pool, std::move_only_function<http_server::Response()> work
);

}  // namespace footfall::api
