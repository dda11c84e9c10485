#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::tokens {

using Milliseconds = std::chrono::milliseconds;

/// The expiry of a token that never expires.
inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

/// A counter: a named set of objects whose tokens share rules. Constant after start-up.
struct CounterConfig {
    std::string name = "default";
    /// How long a token counts after it was last put; absent: for ever, unless the PUT says
    /// otherwise.
    std::optional<std::chrono::seconds> ttl;
    /// The most tokens of one object that are counted exactly; above it the answer is this number
    /// and `at_least`.
    std::uint32_t limit = 100'000;
};

/// The highest limit a counter can have.
inline constexpr std::uint32_t largest_limit = 50'000'000;

/// No token lives longer than this (Cassandra's longest time to live), in seconds.
inline constexpr std::chrono::seconds longest_ttl{630'720'000};

/// Whether `config` makes sense: the name is a name, ttl and limit are in range.
Result<void> check_config(const CounterConfig& config);

/// How long a token put now lives: what the PUT asks if the counter allows it, else the counter's
/// own. Absent: for ever. `invalid_input` when asked is 0, above the counter's ttl, or above
/// longest_ttl.
Result<std::optional<std::chrono::seconds>> effective_ttl(
    const CounterConfig& config, std::optional<std::chrono::seconds> asked
);

/// The moment (milliseconds since 1970) a token put at `now` expires; `never` without a ttl.
/// Rounded up to a thousandth of the ttl, to at most a second: an object's tokens then expire at
/// few distinct moments, and looking for expired tokens costs at most a thousandth of the time they
/// live. A token never lives shorter than asked.
std::int64_t expiry_of(Instant now, std::optional<std::chrono::seconds> ttl);

std::int64_t to_milliseconds(Instant instant);

/// Which span of a counter holds a token that expires then: the partition of its row. Expired spans
/// are never read, so that what has faded away costs a reader nothing. With a ttl: expiry / ttl;
/// without: the UTC day of expiry; never_span for tokens that do not expire.
std::int64_t span_of(const CounterConfig& config, std::int64_t expiry);

inline constexpr std::int64_t never_span = std::numeric_limits<std::int64_t>::max();

/// The moment (milliseconds since 1970) from which on no token of the span is live; `never` for
/// never_span.
std::int64_t span_end(const CounterConfig& config, std::int64_t span);

/// The latest expiry of a token of a counter with a ttl, if it was put by a clock no more than a
/// minute (or the ttl, if that is less) ahead of this one: the clock of another machine, or of this
/// one before it was set back.
std::int64_t latest_expiry(const CounterConfig& config, Instant now);

/// The spans that can hold live tokens of a counter with a ttl: two to four consecutive ones. They
/// cover what expires by latest_expiry().
std::vector<std::int64_t> live_spans(const CounterConfig& config, Instant now);

}  // namespace footfall::tokens
