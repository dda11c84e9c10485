#pragma once

#include "events/money.h"
#include "foundation/result.h"

#include <cstdint>

namespace footfall::ads {

/// Money in 10^-12 of the currency's unit: micros times millionths, so that a share of an amount is
/// exact. 128 bits hold a share of 10^14 of the largest amounts.
__extension__ using Exact = __int128;

/// A sum of micros.
__extension__ using WideMicros = __int128;

/// A part of an amount: 0 to 1,000,000 millionths of it.
using Millionths = std::uint32_t;

inline constexpr Millionths whole = 1'000'000;

/// `amount` times `share`. `out_of_range` beyond 128 bits.
inline Result<Exact> share_of(WideMicros amount, Millionths share) {
    Exact product = 0;
    if (__builtin_mul_overflow(amount, static_cast<Exact>(share), &product)) {
        return fail(ErrorKind::corrupt, "more money than can be counted");
    }
    return product;
}

/// `left` + `right`. As above.
inline Result<Exact> sum_of(Exact left, Exact right) {
    Exact sum = 0;
    if (__builtin_add_overflow(left, right, &sum)) {
        return fail(ErrorKind::corrupt, "more money than can be counted");
    }
    return sum;
}

}  // namespace footfall::ads
