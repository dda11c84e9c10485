#include "tokens/activity.h"

#include <algorithm>

namespace footfall::tokens {

void Activity::add(const ActivitySecond& seen) {
    if (seen.put == 0) {
        return;
    }
    const std::lock_guard lock{mutex_};
    const auto found = std::ranges::lower_bound(seconds_, seen.second, {}, &ActivitySecond::second);
    if (found != seconds_.end() && found->second == seen.second) {
        found->put += seen.put;
        found->added += seen.added;
        found->unsure += seen.unsure;
        return;
    }
    seconds_.insert(found, seen);
    while (seconds_.back().second - seconds_.front().second >=
           static_cast<std::int64_t>(kept_seconds)) {
        seconds_.pop_front();
    }
}

std::vector<ActivitySecond> Activity::between(std::int64_t from, std::int64_t before) const {
    const std::lock_guard lock{mutex_};
    const auto first = std::ranges::lower_bound(seconds_, from, {}, &ActivitySecond::second);
    const auto end = std::ranges::lower_bound(seconds_, before, {}, &ActivitySecond::second);
    return first < end ? std::vector<ActivitySecond>{first, end} : std::vector<ActivitySecond>{};
}

}  // namespace footfall::tokens
