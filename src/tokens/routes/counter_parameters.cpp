#include "tokens_routes/counter_parameters.h"

#include "api/answers.h"
#include "http_server/problem.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace footfall::tokens::routes {

api::Asked<const CounterConfig*> counter_parameter(
    const http_server::Request& request, const TokenCounters& counters
) {
    const api::Asked<std::string> name = api::text_parameter(request, "counter", "default");
    if (!name) {
        return std::unexpected(name.error());
    }
    const Result<const CounterConfig*> config = counters.counter(*name);
    if (!config) {
        return std::unexpected(api::answer_error(config.error(), "counter"));
    }
    return *config;
}

api::Asked<std::optional<std::chrono::seconds>> ttl_parameter(
    const http_server::Request& request, const CounterConfig& config
) {
    std::string_view encoded;
    if (!http_server::query_value(request.query, "ttl", encoded)) {
        return std::nullopt;
    }
    const auto most = static_cast<std::uint64_t>(config.ttl.value_or(longest_ttl).count());
    const api::Asked<std::uint64_t> seconds = api::number_parameter(request, "ttl", 0, 1, most);
    if (!seconds) {
        return std::unexpected(http_server::problem(
            400,
            "invalid-input",
            fmt::format("ttl must be a whole number of seconds from 1 to {}", most),
            "ttl"
        ));
    }
    return std::chrono::seconds{static_cast<std::int64_t>(*seconds)};
}

}  // namespace footfall::tokens::routes
