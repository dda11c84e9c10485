#pragma once

#include "tokens/counter_config.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace footfall::tokens {

/// What an expiry takes where there are many: 40 bits of milliseconds since 2020, until 2054, which
/// a token of the longest ttl reaches in 2034.
inline constexpr std::size_t stored_expiry_bytes = 5;

/// Expiry of a token that is not live.
inline constexpr std::int64_t dead = 0;

namespace detail {
inline constexpr std::int64_t expiry_epoch = 1'577'836'800'000;
inline constexpr std::int64_t stored_never = (std::int64_t{1} << 40) - 1;
}  // namespace detail

/// Writes a moment, `never` or `dead`.
inline void store_expiry(std::int64_t expiry, unsigned char* to) {
    std::int64_t value = dead;
    if (expiry == never) {
        value = detail::stored_never;
    } else if (expiry != dead) {
        value =
            std::clamp<std::int64_t>(expiry - detail::expiry_epoch, 1, detail::stored_never - 1);
    }
    std::memcpy(to, &value, stored_expiry_bytes);
}

inline std::int64_t stored_expiry(const unsigned char* from) {
    std::int64_t value = 0;
    std::memcpy(&value, from, stored_expiry_bytes);
    if (value == dead) {
        return dead;
    }
    return value == detail::stored_never ? never : value + detail::expiry_epoch;
}

}  // namespace footfall::tokens
