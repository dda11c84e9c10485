#pragma once

#include "api/parameters.h"
#include "http_server/request.h"
#include "tokens/counter_config.h"
#include "tokens/token_counters.h"

#include <chrono>
#include <optional>

namespace footfall::tokens::routes {

/// The counter that ?counter= names, or the default one.
api::Asked<const CounterConfig*> counter_parameter(
    const http_server::Request& request, const TokenCounters& counters
);

/// What ?ttl= asks, if the counter allows it.
api::Asked<std::optional<std::chrono::seconds>> ttl_parameter(
    const http_server::Request& request, const CounterConfig& config
);

}  // namespace footfall::tokens::routes
