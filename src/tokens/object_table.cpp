#include "tokens/object_table.h"

#include "foundation/check.h"
#include "foundation/memory_cost.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace footfall::tokens {
namespace {

constexpr std::size_t first_slots = 16;
/// Slots that the hand goes over one after the other: 64 bytes.
constexpr std::size_t neighbours = 4;

/// A step by which one comes by all of `count` places, and by those near each other at times far
/// apart: about count over the golden ratio.
std::size_t far_step(std::size_t count) {
    auto step = static_cast<std::size_t>(static_cast<double>(count) * 0.618);
    while (std::gcd(step, count) != 1) {
        ++step;
    }
    return step;
}

}  // namespace

ObjectEntry::Owner& ObjectTable::insert(
    std::uint64_t hash, std::uint16_t counter, std::string_view name
) {
    if ((size_ + 1) * 4 > slots_.size() * 3) {
        resize(slots_.size() + slots_.size() / 2);
    }
    return place({.hash = hash, .entry = ObjectEntry::make(counter, name)});
}

ObjectEntry::Owner& ObjectTable::slot_of(std::uint64_t hash, const ObjectEntry& entry) {
    return slots_[place_of(hash, entry)].entry;
}

ObjectEntry::Owner ObjectTable::take(std::uint64_t hash, const ObjectEntry& entry) {
    return take_at(place_of(hash, entry));
}

void ObjectTable::shrink() {
    if (slots_.size() > first_slots && size_ * 4 < slots_.size()) {
        resize(size_ * 2);
    }
}

std::size_t ObjectTable::bytes() const {
    return allocated_bytes(slots_.size() * sizeof(Slot));
}

std::size_t ObjectTable::longest_run() const {
    std::size_t longest = 0;
    std::size_t run = 0;
    for (const Slot& slot : slots_) {
        run = slot.entry ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return longest;
}

std::size_t ObjectTable::place_of(std::uint64_t hash, const ObjectEntry& entry) const {
    CHECK(size_ > 0, "an object that is not here", entry.name());
    std::size_t slot = home_of(hash);
    while (slots_[slot].entry.get() != &entry) {
        CHECK(slots_[slot].entry != nullptr, "an object that is not here", entry.name());
        slot = next(slot);
    }
    return slot;
}

ObjectEntry::Owner& ObjectTable::place(Slot filled) {
    std::size_t slot = home_of(filled.hash);
    while (slots_[slot].entry) {
        slot = next(slot);
    }
    slots_[slot] = std::move(filled);
    ++size_;
    return slots_[slot].entry;
}

void ObjectTable::resize(std::size_t slots) {
    slots = std::max(first_slots, slots / neighbours * neighbours);
    std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots));
    size_ = 0;
    hand_ = 0;
    step_ = far_step(slots_.size() / neighbours);
    for (Slot& slot : old) {
        if (slot.entry) {
            place(std::move(slot));
        }
    }
}

void ObjectTable::move_hand() {
    ++hand_;
    if (hand_ % neighbours == 0) {
        const std::size_t count = slots_.size() / neighbours;
        hand_ = (hand_ / neighbours - 1 + step_) % count * neighbours;
    }
}

/// Takes out the entry and moves up those behind it that would no longer be found.
ObjectEntry::Owner ObjectTable::take_at(std::size_t slot) {
    ObjectEntry::Owner taken = std::move(slots_[slot].entry);
    --size_;
    std::size_t gap = slot;
    for (std::size_t at = next(slot); slots_[at].entry; at = next(at)) {
        const std::size_t home = home_of(slots_[at].hash);
        // Cyclically: home <= gap < at, so the entry may stand in the gap.
        const bool reachable = gap < at ? home <= gap || home > at : home <= gap && home > at;
        if (reachable) {
            slots_[gap] = std::move(slots_[at]);
            gap = at;
        }
    }
    return taken;
}

}  // namespace footfall::tokens
