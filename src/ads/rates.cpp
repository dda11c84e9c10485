#include "ads/rates.h"

#include <algorithm>
#include <limits>
#include <ranges>

namespace footfall::ads {
namespace {

/// The last thing that was said of a day and counts; null: nothing did.
const RateChange* last_said(
    const std::vector<RateChange>& changes, Month month, std::uint64_t recorded
) {
    for (const RateChange& change : std::views::reverse(changes)) {
        if (change.booked <= month && change.recorded <= recorded) {
            return &change;
        }
    }
    return nullptr;
}

}  // namespace

void Rates::add(const RateChange& change) {
    by_day_[change.effective].push_back(change);
}

Millionths Rates::share(Day day, Month month) const {
    return share(day, month, std::numeric_limits<std::uint64_t>::max());
}

Millionths Rates::share(Day day, Month month, std::uint64_t recorded) const {
    for (auto next = by_day_.upper_bound(day); next != by_day_.begin();) {
        --next;
        const RateChange* const said = last_said(next->second, month, recorded);
        if (said != nullptr && said->share) {
            return *said->share;
        }
    }
    return 0;
}

std::vector<RateChange> Rates::booked_in(Month month) const {
    std::vector<RateChange> found = in_order();
    std::erase_if(found, [month](const RateChange& each) { return each.booked != month; });
    return found;
}

std::vector<RateChange> Rates::in_order() const {
    std::vector<RateChange> found;
    for (const auto& [day, changes] : by_day_) {
        found.insert(found.end(), changes.begin(), changes.end());
    }
    std::ranges::sort(found, {}, &RateChange::recorded);
    return found;
}

}  // namespace footfall::ads
