#include "tokens/counter_config.h"

#include "foundation/check.h"
#include "foundation/names.h"

#include <fmt/format.h>

#include <algorithm>

namespace footfall::tokens {
namespace {

constexpr std::int64_t milliseconds_a_day = 86'400'000;

std::int64_t span_length(const CounterConfig& config) {
    return config.ttl ? config.ttl->count() * 1000 : milliseconds_a_day;
}

/// The largest power of ten that is at most a thousandth of the ttl, from 1 ms to 1 s.
std::int64_t expiry_unit(std::chrono::seconds ttl) {
    std::int64_t unit = 1;
    while (unit < 1000 && unit * 10 <= ttl.count()) {
        unit *= 10;
    }
    return unit;
}

}  // namespace

Result<void> check_config(const CounterConfig& config) {
    TRY_VOID(check_name("counter name", config.name));
    if (config.ttl && (config.ttl->count() <= 0 || *config.ttl > longest_ttl)) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "counter {}: ttl must be from 1 to {} seconds", config.name, longest_ttl.count()
            )
        );
    }
    if (config.limit < 1 || config.limit > largest_limit) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("counter {}: limit must be from 1 to {}", config.name, largest_limit)
        );
    }
    return {};
}

Result<std::optional<std::chrono::seconds>> effective_ttl(
    const CounterConfig& config, std::optional<std::chrono::seconds> asked
) {
    if (!asked) {
        return config.ttl;
    }
    const std::chrono::seconds most = config.ttl.value_or(longest_ttl);
    if (asked->count() <= 0 || *asked > most) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("ttl must be a whole number of seconds from 1 to {}", most.count())
        );
    }
    return asked;
}

std::int64_t to_milliseconds(Instant instant) {
    return std::chrono::floor<std::chrono::milliseconds>(instant).time_since_epoch().count();
}

std::int64_t expiry_of(Instant now, std::optional<std::chrono::seconds> ttl) {
    if (!ttl) {
        return never;
    }
    const std::int64_t unit = expiry_unit(*ttl);
    const Instant exact = now + *ttl;
    const std::int64_t expiry =
        std::chrono::ceil<std::chrono::milliseconds>(exact).time_since_epoch().count();
    return (expiry + unit - 1) / unit * unit;
}

std::int64_t span_of(const CounterConfig& config, std::int64_t expiry) {
    if (expiry == never) {
        return never_span;
    }
    return expiry / span_length(config);
}

std::int64_t span_end(const CounterConfig& config, std::int64_t span) {
    return span == never_span ? never : (span + 1) * span_length(config);
}

std::int64_t latest_expiry(const CounterConfig& config, Instant now) {
    CHECK(
        config.ttl.has_value(),
        "only a counter with a ttl knows its spans by the clock",
        config.name
    );
    const std::chrono::seconds ahead = std::min(*config.ttl, std::chrono::seconds{60});
    return expiry_of(now + ahead, config.ttl);
}

std::vector<std::int64_t> live_spans(const CounterConfig& config, Instant now) {
    std::vector<std::int64_t> spans;
    const std::int64_t last = span_of(config, latest_expiry(config, now));
    for (std::int64_t span = span_of(config, to_milliseconds(now)); span <= last; ++span) {
        spans.push_back(span);
    }
    return spans;
}

}  // namespace footfall::tokens
