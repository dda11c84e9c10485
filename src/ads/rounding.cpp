#include "ads/rounding.h"

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
    Exact sum = 0;
    for (const Exact row : rows) {
        TRY(sum, sum_of(sum, row));
    }
    return spread_to(rounded(sum), rows);
}

std::vector<WideMicros> spread_to(WideMicros total, std::span<const Exact> rows) {
    std::vector<WideMicros> shown;
    std::vector<Exact> left;
    shown.reserve(rows.size());
    left.reserve(rows.size());
    WideMicros missing = total;
    for (const Exact row : rows) {
        const Parts parts = parts_of(row);
        shown.push_back(parts.floor);
        left.push_back(parts.left);
        missing -= parts.floor;
    }
    if (rows.empty()) {
        return shown;
    }
    const auto count = static_cast<WideMicros>(rows.size());
    const WideMicros remainder = (missing % count + count) % count;
    const WideMicros each = (missing - remainder) / count;
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::size_t one, std::size_t other) {
        return left[one] == left[other] ? one < other : left[one] > left[other];
    });
    for (std::size_t at = 0; at < order.size(); ++at) {
        shown[order[at]] += each + (static_cast<WideMicros>(at) < remainder ? 1 : 0);
    }
    return shown;
}

}  // namespace footfall::ads
