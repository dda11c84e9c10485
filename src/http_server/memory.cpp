#include "http_server/memory.h"

#include <algorithm>
#include <string_view>

namespace footfall::http_server {
namespace {

/// What a request holds beside its body: header, input, room.
constexpr std::size_t beside_body_bytes = 1 << 20;

Memory::Budget make_budget(
    std::size_t limit, std::string_view what, std::string_view door, metrics::Metrics& metrics
) {
    const metrics::Labels labels{{"of", what}, {"door", door}};
    metrics
        .gauge(
            "footfall_http_memory_limit_bytes",
            "Memory that requests and answers may take, by the door they came in by.",
            labels
        )
        .set(static_cast<double>(limit));
    return {
        .bytes = net::MemoryBudget{limit},
        .held = metrics.gauge(
            "footfall_http_memory_bytes", "Memory that requests and answers hold.", labels
        ),
        .refused = metrics.counter(
            "footfall_http_memory_refused_total",
            "Requests that were refused, or connections closed, since that memory was used up.",
            labels
        )
    };
}

}  // namespace

MemoryLimits MemoryLimits::of(std::size_t program_bytes, std::size_t body_bytes_max) {
    return {
        .open = {.requests = program_bytes / 16, .answers = program_bytes / 16},
        .trusted =
            {.requests = std::max(program_bytes / 4, body_bytes_max + beside_body_bytes),
             .answers = std::max(program_bytes / 8, body_bytes_max)}
    };
}

Memory::Memory(MemoryLimits limits, metrics::Metrics& metrics)
    : open_requests_{make_budget(limits.open.requests, "requests", "open", metrics)},
      open_answers_{make_budget(limits.open.answers, "answers", "open", metrics)},
      trusted_requests_{make_budget(limits.trusted.requests, "requests", "trusted", metrics)},
      trusted_answers_{make_budget(limits.trusted.answers, "answers", "trusted", metrics)} {}

void Memory::tell() const {
    for (const Budget* const each : all()) {
        each->held.set(static_cast<double>(each->bytes.used()));
    }
}

std::size_t Memory::held() const {
    std::size_t bytes = 0;
    for (const Budget* const each : all()) {
        bytes += each->bytes.used();
    }
    return bytes;
}

}  // namespace footfall::http_server
