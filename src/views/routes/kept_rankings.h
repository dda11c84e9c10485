#pragma once

#include "foundation/result.h"
#include "views/ranking.h"

#include <chrono>
#include <compare>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>

namespace footfall::views::routes {

/// The last rankings that were asked for. To make one takes a third of a second where many objects
/// are alike in size, a second on a full core, and every open page asks again and again: so it
/// stands for twenty times as long as it took, and all who ask for one take a twentieth of a core;
/// but for ten seconds at most, since a page must not be older. Where objects are few it is made
/// anew each time. Thread-safe.
class KeptRankings {
public:
    using Clock = std::chrono::steady_clock;

    struct Asked {
        std::string action;
        RankBy by = RankBy::people;
        std::size_t limit = 0;
        std::string window = {};  ///< Its name; empty: of all time.

        friend auto operator<=>(const Asked&, const Asked&) = default;
    };

    using Make = std::function<Result<Ranking>(const Asked& asked, const std::stop_token&)>;

    /// `now` says how long `make` took.
    explicit KeptRankings(Make make, std::function<Clock::time_point()> now = Clock::now)
        : make_{std::move(make)}, now_{std::move(now)} {}

    /// What `make` answers, or answered a short time ago.
    Result<Ranking> top(const Asked& asked, const std::stop_token& stop = {});

private:
    struct Kept {
        Ranking ranking;
        Clock::time_point good_until;
    };

    const Make make_;
    const std::function<Clock::time_point()> now_;
    std::mutex mutex_;
    std::map<Asked, Kept> kept_;  ///< Guarded by mutex_.
};

}  // namespace footfall::views::routes
