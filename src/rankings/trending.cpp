#include "rankings/trending.h"

#include "foundation/check.h"
#include "foundation/memory_cost.h"

#include <algorithm>
#include <span>
#include <utility>

namespace footfall::rankings {
namespace {

constexpr std::size_t smallest = 16;  ///< Counters that are allocated first.

/// A freed slot keeps the room of a name so long: the next one mostly has one as long, and half of
/// the time of a newcomer would go to the heap.
constexpr std::size_t free_name_bytes_most = 128;

}  // namespace

TrendCandidates::TrendCandidates(const TrendSettings& settings)
    : counters_most_{settings.counters},
      names_bytes_most_{settings.names_bytes},
      fast_{settings.fast_half_life},
      slow_{settings.slow_half_life} {
    const Result<void> sound = check_trend_settings(settings);
    CHECK(sound.has_value(), "settings are checked where they are read", sound.error().message);
}

void TrendCandidates::add(
    std::uint64_t hash, std::string_view object, Instant event_time, double weight
) {
    const HalfLife::Place fast_place = fast_.place_of(event_time);
    const HalfLife::Place slow_place = slow_.place_of(event_time);
    advance(fast_place, slow_place);
    const Units fast = fast_.units(fast_place, weight);
    const Units slow = slow_.units(slow_place, weight);
    if (slow == 0) {
        return;  // the fast sum loses its worth no later
    }
    total_fast_ = HalfLife::added(total_fast_, fast);
    total_slow_ = HalfLife::added(total_slow_, slow);
    const std::uint16_t slot = find(hash, object);
    if (slot != SlotIndex::none) {
        Counter& counter = counters_[slot];
        counter.fast = HalfLife::added(counter.fast, fast);
        counter.slow = HalfLife::added(counter.slow, slow);
        return;
    }
    if (!has_room_for(object)) {
        evict_least();
    }
    insert(hash, object, fast, HalfLife::added(floor_, slow), floor_);
}

std::uint16_t TrendCandidates::find(std::uint64_t hash, std::string_view object) const {
    return index_.find(hash, [&](std::uint16_t slot) {
        return counters_[slot].hash == hash && counters_[slot].name.view() == object;
    });
}

void TrendCandidates::advance(HalfLife::Place fast_place, HalfLife::Place slow_place) {
    if (const std::uint64_t by = fast_.advance(fast_place); by > 0) {
        total_fast_ = HalfLife::shifted(total_fast_, by);
        for (Counter& counter : counters_) {
            counter.fast = HalfLife::shifted(counter.fast, by);
        }
    }
    if (const std::uint64_t by = slow_.advance(slow_place); by > 0) {
        total_slow_ = HalfLife::shifted(total_slow_, by);
        floor_ = HalfLife::shifted(floor_, by);
        for (Counter& counter : counters_) {
            counter.slow = HalfLife::shifted(counter.slow, by);
            counter.error = HalfLife::shifted(counter.error, by);
        }
    }
}

bool TrendCandidates::has_room_for(std::string_view object) const {
    return size() < most() && names_bytes_ + KeptName::bytes_of(object.size()) <= names_bytes_most_;
}

/// Makes room for some hundred newcomers, or for a quarter of the names.
void TrendCandidates::evict_least() {
    // What decides nearly always stands side by side: the counters themselves are far apart.
    struct Place {
        Units slow;
        std::uint64_t hash;
        std::uint16_t slot;
    };

    const auto is_less = [this](const Place& left, const Place& right) {
        if (left.slow != right.slow) {
            return left.slow < right.slow;
        }
        return left.hash != right.hash
                   ? left.hash < right.hash
                   : counters_[left.slot].name.view() < counters_[right.slot].name.view();
    };
    std::vector<Place> places;
    places.reserve(size());
    for (std::size_t slot = 0; slot < counters_.size(); ++slot) {
        if (const Counter& counter = counters_[slot]; counter.is_taken) {
            places.push_back({counter.slow, counter.hash, static_cast<std::uint16_t>(slot)});
        }
    }
    const std::size_t too_many = size() - std::min(size(), counters_most_);
    const auto first_kept = places.begin() + static_cast<std::ptrdiff_t>(too_many);
    std::ranges::nth_element(places, first_kept, is_less);
    std::for_each(places.begin(), first_kept, [this](const Place& place) { evict(place.slot); });
    const std::size_t names_bytes_enough = names_bytes_most_ / 4 * 3;
    if (names_bytes_ <= names_bytes_enough) {
        return;
    }
    std::sort(first_kept, places.end(), is_less);
    for (auto place = first_kept; names_bytes_ > names_bytes_enough; ++place) {
        evict(place->slot);
    }
}

void TrendCandidates::evict(std::uint16_t slot) {
    Counter& counter = counters_[slot];
    floor_ = std::max(floor_, counter.slow);
    index_.erase(counter.hash, slot);
    names_bytes_ -= counter.name.bytes();
    counter.is_taken = false;
    if (counter.name.bytes() > free_name_bytes_most) {
        counter.name.clear();
    }
    free_names_bytes_ += counter.name.bytes();
    free_.push_back(slot);
}

void TrendCandidates::insert(
    std::uint64_t hash, std::string_view object, Units fast, Units slow, Units error
) {
    auto slot = static_cast<std::uint16_t>(counters_.size());
    if (free_.empty()) {
        if (counters_.size() == counters_.capacity()) {
            counters_.reserve(std::max(smallest, std::min(counters_.size() * 2, most())));
        }
        counters_.emplace_back();
    } else {
        slot = free_.back();
        free_.pop_back();
        free_names_bytes_ -= counters_[slot].name.bytes();
    }
    Counter& counter = counters_[slot];
    counter.hash = hash;
    counter.fast = fast;
    counter.slow = slow;
    counter.error = error;
    counter.is_taken = true;
    counter.name.assign(object);
    names_bytes_ += counter.name.bytes();
    index_.insert(hash, slot);
}

std::vector<TrendCandidate> TrendCandidates::candidates(Instant now, double least_fast) const {
    std::vector<TrendCandidate> found;
    for (const Counter& counter : counters_) {
        const double fast = fast_.value(counter.fast, now);
        if (counter.is_taken && fast >= least_fast) {
            found.push_back({
                .object = std::string{counter.name.view()},
                .fast = fast,
                .slow = slow_.value(counter.slow, now),
                .error = slow_.value(counter.error, now),
            });
        }
    }
    return found;
}

TrendTotals TrendCandidates::totals(Instant now) const {
    return {.fast = fast_.value(total_fast_, now), .slow = slow_.value(total_slow_, now)};
}

std::size_t TrendCandidates::bytes() const {
    return allocated_bytes(counters_.capacity() * sizeof(Counter)) +
           allocated_bytes(free_.capacity() * sizeof(std::uint16_t)) + index_.bytes() +
           names_bytes_ + free_names_bytes_;
}

std::size_t TrendCandidates::recount() const {
    std::size_t names = 0;
    for (const Counter& counter : counters_) {
        names += counter.name.bytes();
    }
    return allocated_bytes(counters_.capacity() * sizeof(Counter)) +
           allocated_bytes(free_.capacity() * sizeof(std::uint16_t)) + index_.bytes() + names;
}

}  // namespace footfall::rankings
