#include "segments/people_sets.h"

#include "foundation/memory_cost.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace footfall::segments {
namespace {

const sets::NumberSet nobody;

constexpr std::uint64_t numbers_max = std::uint64_t{std::numeric_limits<sets::Number>::max()} + 1;

constexpr unsigned low_bits = 16;

/// A permutation of 16 bits, another one for each high half of a number: nobody but us gives
/// numbers, so it need not withstand anybody, but has to look as if drawn, whatever the order is in
/// which people came. Four rounds after Feistel, whose function is a multiplicative hash.
std::uint32_t shuffled(std::uint32_t low, std::uint32_t high) {
    constexpr unsigned half_bits = 8;
    constexpr std::uint32_t half_mask = (1U << half_bits) - 1;
    std::uint64_t key = (std::uint64_t{high} + 1) * 0x9e3779b97f4a7c15U;
    key = (key ^ key >> 30U) * 0xbf58476d1ce4e5b9U;
    key ^= key >> 27U;
    std::uint32_t left = low >> half_bits;
    std::uint32_t right = low & half_mask;
    for (unsigned round = 0; round < 4; ++round) {
        std::uint32_t mixed =
            (right + static_cast<std::uint32_t>(key >> (8 * round))) * 0x9e3779b1U;
        mixed = (mixed ^ mixed >> 15U) * 0x85ebca77U;
        mixed = (mixed ^ mixed >> 13U) * 0xc2b2ae3dU;
        left = std::exchange(right, left ^ mixed >> 24U);
    }
    return left << half_bits | right;
}

}  // namespace

std::optional<sets::Number> PeopleSets::take_number() {
    if (!free_.empty()) {
        const sets::Number number = free_.back();
        free_.pop_back();
        used_.add(number);
        return number;
    }
    if (next_ == numbers_max) {
        return std::nullopt;
    }
    const auto number = static_cast<sets::Number>(next_++);
    used_.add(number);
    return number;
}

void PeopleSets::use_number(sets::Number number) {
    if (used_.add(number)) {
        std::erase(free_, number);
    }
    next_ = std::max(next_, std::uint64_t{number} + 1);
}

/// Those that find no room among the free ones are found at the next start.
void PeopleSets::give_back(sets::Number number) {
    if (used_.remove(number) && free_.size() < free_max) {
        free_.push_back(number);
    }
}

void PeopleSets::find_free() {
    free_.clear();
    std::uint64_t from = 0;
    used_.for_each([&](sets::Number number) {
        for (; from < number && free_.size() < free_max; ++from) {
            free_.push_back(static_cast<sets::Number>(from));
        }
        from = std::uint64_t{number} + 1;
    });
    std::ranges::reverse(free_);
}

PeopleSets::Set& PeopleSets::changed(std::int64_t segment) {
    Set& set = sets_[segment];
    if (!std::exchange(set.is_changed, true)) {
        changed_.push_back(segment);
    }
    return set;
}

/// Absent: this person is left out.
std::optional<sets::Number> PeopleSets::place_of(sets::Number number) const {
    if (level_ == 0) {
        return number;
    }
    const sets::Number high = number >> low_bits;
    const std::uint32_t low = shuffled(number & ((1U << low_bits) - 1), high);
    if (low >> (low_bits - level_) != 0) {
        return std::nullopt;
    }
    return high << (low_bits - level_) | low;
}

void PeopleSets::add(std::int64_t segment, sets::Number number) {
    if (const auto place = place_of(number)) {
        changed(segment).numbers.add(*place);
    }
}

void PeopleSets::remove(std::int64_t segment, sets::Number number) {
    const auto place = place_of(number);
    if (place && sets_.contains(segment)) {
        changed(segment).numbers.remove(*place);
    }
}

/// At first numbers become places; from then on each second place goes, and places keep their
/// order.
bool PeopleSets::thin() {
    if (level_ == level_max) {
        return false;
    }
    const bool are_numbers = level_ == 0;
    ++level_;
    const unsigned bits = low_bits - level_;
    for (auto& [segment, set] : sets_) {
        std::vector<sets::Number> places;
        places.reserve(set.numbers.size() / 2);
        set.numbers.for_each([&](sets::Number each) {
            if (are_numbers) {
                if (const auto place = place_of(each)) {
                    places.push_back(*place);
                }
            } else if ((each >> bits & 1U) == 0) {
                places.push_back(each >> (bits + 1) << bits | (each & ((1U << bits) - 1)));
            }
        });
        if (are_numbers) {
            std::ranges::sort(places);
        }
        set.numbers = sets::NumberSet::of_sorted(places);
        static_cast<void>(changed(segment));
    }
    return true;
}

void PeopleSets::keep_only(sets::Number number, std::span<const std::int64_t> segments) {
    std::vector<std::int64_t> others;
    const auto place = place_of(number);
    for (const auto& [segment, set] : sets_) {
        if (place && set.numbers.contains(*place) &&
            std::ranges::find(segments, segment) == segments.end()) {
            others.push_back(segment);
        }
    }
    for (const std::int64_t each : others) {
        remove(each, number);
    }
}

void PeopleSets::drop(std::int64_t segment) {
    if (const auto set = sets_.find(segment); set != sets_.end()) {
        bytes_ -= set->second.bytes;
        sets_.erase(set);
        std::erase(changed_, segment);
    }
}

const sets::NumberSet* PeopleSets::of(std::int64_t segment) const {
    const auto set = sets_.find(segment);
    return set == sets_.end() ? &nobody : &set->second.numbers;
}

std::size_t PeopleSets::own_bytes() const {
    constexpr std::size_t node = sizeof(std::pair<const std::int64_t, Set>) + sizeof(void*);
    return used_.bytes() + allocated_bytes(free_.capacity() * sizeof(sets::Number)) +
           allocated_bytes(changed_.capacity() * sizeof(std::int64_t)) +
           sets_.size() * allocated_bytes(node) +
           allocated_bytes(sets_.bucket_count() * sizeof(void*));
}

void PeopleSets::book() {
    for (const std::int64_t each : changed_) {
        Set& set = sets_.at(each);
        const std::size_t bytes = set.numbers.bytes();
        bytes_ += bytes - set.bytes;
        set.bytes = bytes;
        set.is_changed = false;
    }
    changed_.clear();
    bytes_ -= std::exchange(own_bytes_, own_bytes());
    bytes_ += own_bytes_;
}

std::size_t PeopleSets::recount() const {
    std::size_t bytes = own_bytes();
    for (const auto& [segment, set] : sets_) {
        bytes += set.numbers.bytes();
    }
    return bytes;
}

void PeopleSets::drop_all() {
    for (const auto& [segment, set] : sets_) {
        bytes_ -= set.bytes;
    }
    sets_.clear();
    changed_.clear();
    book();
}

}  // namespace footfall::segments
