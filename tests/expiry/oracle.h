#pragma once

#include "foundation/clock.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

namespace footfall::expiry {

/// What the counters must answer, kept in the plainest way: every token with the moment it expires.
/// Knows of the program only what docs/decisions/0008-token-tables.md promises.
class Oracle {
public:
    explicit Oracle(std::size_t objects) : objects_(objects) {}

    /// A PUT at `now`; absent: for ever. Never shortens a life.
    void put(
        std::size_t object,
        std::uint32_t token,
        Instant now,
        std::optional<std::chrono::seconds> ttl
    );

    std::uint64_t count(std::size_t object, Instant now) const;

    /// The first moment after `now` at which the object loses a token; absent: none ever.
    std::optional<Instant> next_expiry(std::size_t object, Instant now) const;

private:
    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

    /// Milliseconds since 1970 by token.
    using Expiries = std::unordered_map<std::uint32_t, std::int64_t>;

    std::vector<Expiries> objects_;
};

}  // namespace footfall::expiry
