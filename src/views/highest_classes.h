#pragma once

#include "foundation/clock.h"
#include "views/ranking.h"

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>

namespace footfall::views {

/// The largest size class in which an action has objects, as it was seen of late: a ranking need
/// not look into those above, of which each is 64 reads. An object stands in its class and in all
/// below it: one that has outgrown them since is found there, unless there are too many to look at
/// all, which the ranking says. Thread-safe.
class HighestClasses {
public:
    /// So long it holds: then classes above are looked into again.
    static constexpr std::chrono::seconds good_for{60};

    /// Where to begin.
    int begin(std::string_view action, RankBy by, Instant now) {
        const std::lock_guard lock{mutex_};
        const auto found = seen_.find(std::tuple{std::string{action}, by});
        const bool holds = found != seen_.end() && found->second.looked_at <= now &&
                           now - found->second.looked_at < good_for;
        return holds ? found->second.highest : top_size_class;
    }

    /// That it has objects in this class and in none above.
    void note(std::string_view action, RankBy by, int highest, Instant now) {
        const std::lock_guard lock{mutex_};
        if (seen_.size() >= seen_most) {
            seen_.clear();
        }
        seen_[std::tuple{std::string{action}, by}] = {.highest = highest, .looked_at = now};
    }

private:
    /// Actions are few, but anybody may ask for any.
    static constexpr std::size_t seen_most = 64;

    struct Seen {
        int highest = 0;
        Instant looked_at{};
    };

    std::mutex mutex_;
    std::map<std::tuple<std::string, RankBy>, Seen> seen_;  ///< Guarded by mutex_.
};

}  // namespace footfall::views
