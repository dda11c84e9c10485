#pragma once

#include "tokens/counted_object.h"

#include <cstddef>
#include <cstdint>
#include <map>

namespace footfall::tokens {

/// For tests: milliseconds since 1970, and more tokens than any of them has.
inline constexpr std::int64_t now = 1'800'000'000'000;
inline constexpr std::size_t no_limit = 1'000'000;

/// Token hash to expiry.
using Tokens = std::map<std::uint64_t, std::int64_t>;

inline Tokens tokens_of(const CountedObject& state) {
    Tokens tokens;
    state.set.table()->for_each([&](std::uint64_t hash, std::int64_t expiry) {
        tokens.emplace(hash, expiry);
    });
    return tokens;
}

inline CountedObject state_of(const Tokens& tokens) {
    CountedObject state;
    for (const auto& [hash, expiry] : tokens) {
        state.set.add(hash, expiry, now, no_limit);
    }
    return state;
}

}  // namespace footfall::tokens
