#include "rankings/slot_index.h"

#include "foundation/check.h"
#include "foundation/memory_cost.h"

#include <utility>

namespace footfall::rankings {

void SlotIndex::insert(std::uint64_t hash, std::uint16_t slot) {
    CHECK(slot < slots_most, "a slot that no index can hold", slot);
    if ((size_ + 1) * 4 > places_.size() * 3) {
        grow();
    }
    put({.tag = tag_of(hash), .slot = slot});
    ++size_;
}

void SlotIndex::put(Place entry) {
    std::size_t at = home_of(entry.tag);
    while (places_[at].slot != none) {
        at = next(at);
    }
    places_[at] = entry;
}

void SlotIndex::erase(std::uint64_t hash, std::uint16_t slot) {
    CHECK(size_ > 0, "nothing to take out");
    std::size_t gap = home_of(tag_of(hash));
    while (places_[gap].slot != slot) {
        CHECK(places_[gap].slot != none, "what is taken out is here", slot);
        gap = next(gap);
    }
    // Who could not have its own place because of the gap's owner moves up (Knuth, TAOCP 6.4, R).
    const std::size_t mask = places_.size() - 1;
    for (std::size_t at = next(gap); places_[at].slot != none; at = next(at)) {
        const std::size_t home = home_of(places_[at].tag);
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            places_[gap] = places_[at];
            gap = at;
        }
    }
    places_[gap] = {};
    --size_;
}

void SlotIndex::grow() {
    constexpr std::size_t smallest = 16;
    const std::size_t size = places_.empty() ? smallest : places_.size() * 2;
    for (const Place& entry : std::exchange(places_, std::vector<Place>(size))) {
        if (entry.slot != none) {
            put(entry);
        }
    }
}

std::size_t SlotIndex::bytes() const {
    return allocated_bytes(places_.capacity() * sizeof(Place));
}

}  // namespace footfall::rankings
