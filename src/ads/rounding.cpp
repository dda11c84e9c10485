#include "ads/rounding.h"

#include "foundation/check.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace footfall::ads {
namespace {

/// Of two parts: the micros below it, and how much is left.
struct Parts {
    WideMicros floor;
    Exact left;  ///< 0 to a micro, without it.
};

Parts parts_of(Exact amount) {
    Parts parts{.floor = amount / whole, .left = amount % whole};
    if (parts.left < 0) {
        --parts.floor;
        parts.left += whole;
    }
    return parts;
}

}  // namespace

WideMicros rounded(Exact amount) {
    const Parts parts = parts_of(amount);
    const Exact twice = 2 * parts.left;
    const bool up = twice > whole || (twice == whole && parts.floor % 2 != 0);
    return parts.floor + (up ? 1 : 0);
}

Result<std::vector<WideMicros>> spread(std::span<const Exact> rows) {
    std::vector<WideMicros> shown;
    std::vector<Exact> left;
    shown.reserve(rows.size());
    left.reserve(rows.size());
    Exact sum = 0;
    WideMicros given = 0;
    for (const Exact row : rows) {
        const Parts parts = parts_of(row);
        shown.push_back(parts.floor);
        left.push_back(parts.left);
        TRY(sum, sum_of(sum, row));
        given += parts.floor;
    }
    const auto missing = static_cast<std::size_t>(rounded(sum) - given);
    CHECK(missing <= rows.size(), "each row lost less than a micro", missing, rows.size());
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::size_t one, std::size_t other) {
        return left[one] == left[other] ? one < other : left[one] > left[other];
    });
    for (std::size_t at = 0; at < missing; ++at) {
        ++shown[order[at]];
    }
    return shown;
}

}  // namespace footfall::ads
