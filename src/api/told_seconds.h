#pragma once

#include "foundation/clock_watch.h"

#include <algorithm>
#include <cstdint>

namespace footfall::api {

/// Which seconds a live stream tells next: each once, when it is over, and no more than are kept. A
/// clock that was set back a little would repeat seconds: nothing is told until it has caught up.
/// One that was ahead, and is right again, begins anew. A plain value of one stream; times are
/// seconds of Unix time.
class ToldSeconds {
public:
    explicit ToldSeconds(std::int64_t now) : next_{now} {}

    /// Those in [from, before); `anew`: what was told of later ones holds no more.
    struct Seconds {
        std::int64_t from = 0;
        std::int64_t before = 0;
        bool anew = false;
    };

    /// Those that are over `now`, of the `kept` last ones.
    Seconds next(std::int64_t now, std::int64_t kept) {
        if (now + clock_slack.count() < next_) {
            next_ = now;
            return {.from = now - kept, .before = now, .anew = true};
        }
        const std::int64_t before = std::max(next_, now);
        const Seconds seconds{.from = std::max(next_, before - kept), .before = before};
        next_ = before;
        return seconds;
    }

private:
    std::int64_t next_;
};

}  // namespace footfall::api
