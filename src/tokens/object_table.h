#pragma once

#include "tokens/object_entry.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::tokens {

/// The objects of one lane, found by counter and name, and the hand that goes round them to pick
/// those to evict: second chance (the CLOCK of Corbato, 1968). An object that was used again since
/// the hand passed stays; one that was only loaded, by a scan say, does not.
///
/// Open addressing with linear probing: 16 bytes a slot, at most 3/4 full, growing by half; an
/// entry that is taken out leaves no gap. The hand goes over four neighbours at a time, and to the
/// next four by a step that is far: going from slot to slot it would leave the table empty behind
/// it and twice as full as the average before it, where searches would pass thousands of slots.
///
/// Not thread-safe: guarded by the lane. Every call is O(1); growing and shrinking move 16 bytes an
/// object in order, without looking at the objects (2 ns each).
class ObjectTable {
public:
    // An object is answered as the slot that owns it, which may be given another entry of the same
    // object; it stands until the next call that is not const.

    /// `hash`: of counter and name, the same in every call. Null: not here.
    ObjectEntry::Owner* find(std::uint64_t hash, std::uint16_t counter, std::string_view name);

    /// Adds an object that is not here: busy, not loaded.
    ObjectEntry::Owner& insert(std::uint64_t hash, std::uint16_t counter, std::string_view name);

    /// The slot of an object that is here.
    ObjectEntry::Owner& slot_of(std::uint64_t hash, const ObjectEntry& entry);

    /// Takes out an object that is here.
    ObjectEntry::Owner take(std::uint64_t hash, const ObjectEntry& entry);

    /// Moves the hand over at most `most` slots and takes out, into `evicted`, the objects that
    /// were not used again and that may go; stops when it is enough.
    ///
    /// `rules.concerns(entry)`: else it is passed by as if it were not there.
    /// `rules.let_go(hash, entry)`: may it go, which it then does? `rules.enough()`.
    template <class Rules>
    void evict(std::size_t most, std::vector<ObjectEntry::Owner>& evicted, const Rules& rules);

    /// Gives memory back once less than a quarter of the slots are in use.
    void shrink();

    /// Takes out all objects for which `condition(entry)` holds; O(slots).
    template <class Condition>
    void erase_if(const Condition& condition);

    /// Calls `function(const ObjectEntry&)` for each; O(slots).
    template <class Function>
    void for_each(const Function& function) const;

    std::size_t size() const { return size_; }

    /// Bytes of the table itself, without the objects.
    std::size_t bytes() const;

    /// The longest row of slots in use: no search looks at more. O(slots), for tests.
    std::size_t longest_run() const;

private:
    struct Slot {
        std::uint64_t hash = 0;
        ObjectEntry::Owner entry;  ///< Null: the slot is empty.
    };

    std::size_t home_of(std::uint64_t hash) const;
    std::size_t place_of(std::uint64_t hash, const ObjectEntry& entry) const;

    std::size_t next(std::size_t slot) const { return slot + 1 == slots_.size() ? 0 : slot + 1; }

    ObjectEntry::Owner& place(Slot filled);
    void resize(std::size_t slots);
    ObjectEntry::Owner take_at(std::size_t slot);
    void move_hand();

    std::vector<Slot> slots_;  ///< A multiple of `neighbours`.
    std::size_t size_ = 0;
    std::size_t hand_ = 0;  ///< The slot it is at.
    std::size_t step_ = 0;  ///< From four neighbours to the next four; comes by all of them.
};

// On the path of every operation.

inline ObjectEntry::Owner* ObjectTable::find(
    std::uint64_t hash, std::uint16_t counter, std::string_view name
) {
    if (size_ == 0) {
        return nullptr;
    }
    for (std::size_t slot = home_of(hash); slots_[slot].entry; slot = next(slot)) {
        if (slots_[slot].hash != hash) {
            continue;
        }
        const ObjectEntry& entry = *slots_[slot].entry;
        if (entry.counter() == counter && entry.name() == name) {
            return &slots_[slot].entry;
        }
    }
    return nullptr;
}

/// The lane has the highest six bits; those below are a uniform slot, in the order of the hash.
inline std::size_t ObjectTable::home_of(std::uint64_t hash) const {
    const auto product = static_cast<unsigned __int128>(hash << 6) * slots_.size();
    return static_cast<std::size_t>(product >> 64);
}

template <class Rules>
void ObjectTable::evict(
    std::size_t most, std::vector<ObjectEntry::Owner>& evicted, const Rules& rules
) {
    // Empty slots count as well, or a table that was once full would be a long way round.
    for (std::size_t looked = 0; looked < most && size_ > 0 && !rules.enough(); ++looked) {
        ObjectEntry* entry = slots_[hand_].entry.get();
        if (entry != nullptr && rules.concerns(*entry)) {
            if (!entry->used_again && rules.let_go(slots_[hand_].hash, *entry)) {
                evicted.push_back(take_at(hand_));
                continue;  // what stood behind it may have moved here
            }
            entry->used_again = false;
        }
        move_hand();
    }
}

template <class Condition>
void ObjectTable::erase_if(const Condition& condition) {
    std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.size()));
    size_ = 0;
    for (Slot& slot : old) {
        if (slot.entry && !condition(*slot.entry)) {
            place(std::move(slot));
        }
    }
}

template <class Function>
void ObjectTable::for_each(const Function& function) const {
    for (const Slot& slot : slots_) {
        if (slot.entry) {
            function(std::as_const(*slot.entry));
        }
    }
}

}  // namespace footfall::tokens
