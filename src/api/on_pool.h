#pragma once

#include "http_server/request.h"
#include "runtime/blocking_pool.h"
#include "runtime/task.h"

#include <functional>
#include <optional>
#include <stop_token>

namespace footfall::api {

/// Runs `work` on a thread of `pool` and answers what it answers; 503 when too many wait already,
/// or the pool refuses what waits. What `work` throws, the connection answers for.
///
/// `left`: of the client (Exchange::client_left()), for reads that take long. Once that is asked to
/// stop, `work` is not begun; whether it ends early is for `work` to see to.
runtime::Task<http_server::Response> on_pool(
    runtime::BlockingPool* pool,
    std::move_only_function<http_server::Response()> work,
    std::stop_token left = {}
);

/// The same of long work: `turn` does a part of it, and is called again, after others had their
/// turn, until it has an answer.
runtime::Task<http_server::Response> on_pool_in_turns(
    runtime::BlockingPool* pool,
    std::move_only_function<std::optional<http_server::Response>()> turn
);

}  // namespace footfall::api
