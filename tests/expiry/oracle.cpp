#include "oracle.h"

#include <algorithm>

namespace footfall::expiry {
namespace {

/// Up to a thousandth of the ttl and at most a second: the power of ten of milliseconds that fits.
std::int64_t rounding(std::chrono::seconds ttl) {
    if (ttl.count() < 10) {
        return 1;
    }
    if (ttl.count() < 100) {
        return 10;
    }
    return ttl.count() < 1000 ? 100 : 1000;
}

std::int64_t milliseconds_up(Instant instant) {
    return std::chrono::ceil<std::chrono::milliseconds>(instant).time_since_epoch().count();
}

}  // namespace

void Oracle::put(
    std::size_t object, std::uint32_t token, Instant now, std::optional<std::chrono::seconds> ttl
) {
    std::int64_t expiry = never;
    if (ttl) {
        const std::int64_t unit = rounding(*ttl);
        expiry = (milliseconds_up(now + *ttl) + unit - 1) / unit * unit;
    }
    std::int64_t& kept = objects_[object][token];
    kept = std::max(kept, expiry);
}

std::uint64_t Oracle::count(std::size_t object, Instant now) const {
    const auto lives = [&](const auto& token) {
        return token.second == never || Instant{std::chrono::milliseconds{token.second}} > now;
    };
    return static_cast<std::uint64_t>(std::ranges::count_if(objects_[object], lives));
}

std::optional<Instant> Oracle::next_expiry(std::size_t object, Instant now) const {
    std::int64_t next = never;
    for (const auto& [token, expiry] : objects_[object]) {
        if (Instant{std::chrono::milliseconds{expiry == never ? 0 : expiry}} > now) {
            next = std::min(next, expiry);
        }
    }
    return next == never ? std::nullopt
                         : std::optional<Instant>{Instant{std::chrono::milliseconds{next}}};
}

}  // namespace footfall::expiry
