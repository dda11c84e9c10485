#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace footfall::rankings {

/// Finds the slot of a table by a well-mixed hash: open addressing with linear probing, at most
/// three quarters full, four bytes a place. Beside the slot stand 16 bits of the hash, which also
/// say where it belongs: nearly all others are passed by without a look at them, and an entry that
/// is taken out leaves no gap.
///
/// Not thread-safe. Every call is O(1); one that grows is O(size).
class SlotIndex {
public:
    /// Slots are below this, and so many entries there can be.
    static constexpr std::size_t slots_most = std::size_t{1} << 15;
    static constexpr std::uint16_t none = 0xffff;

    /// The slot under `hash` for which `matches(slot)` holds, or `none`.
    template <class Matches>
    std::uint16_t find(std::uint64_t hash, const Matches& matches) const {
        if (places_.empty()) {
            return none;
        }
        const std::uint16_t tag = tag_of(hash);
        for (std::size_t at = home_of(tag); places_[at].slot != none; at = next(at)) {
            if (places_[at].tag == tag && matches(places_[at].slot)) {
                return places_[at].slot;
            }
        }
        return none;
    }

    /// Has the place of `hash` on its way to the cache.
    void prefetch(std::uint64_t hash) const {
        if (!places_.empty()) {
            __builtin_prefetch(&places_[home_of(tag_of(hash))]);
        }
    }

    /// Adds a slot that is not here.
    void insert(std::uint64_t hash, std::uint16_t slot);

    /// Takes out a slot that is here under `hash`.
    void erase(std::uint64_t hash, std::uint16_t slot);

    std::size_t size() const { return size_; }

    std::size_t bytes() const;

private:
    struct Place {
        std::uint16_t tag = 0;
        std::uint16_t slot = none;
    };

    /// The highest bits name the lane, which all objects of a table share.
    static std::uint16_t tag_of(std::uint64_t hash) { return static_cast<std::uint16_t>(hash); }

    std::size_t home_of(std::uint16_t tag) const { return tag & (places_.size() - 1); }

    std::size_t next(std::size_t place) const { return (place + 1) & (places_.size() - 1); }

    void put(Place entry);
    void grow();

    std::vector<Place> places_;  ///< A power of two, at most 2^16.
    std::size_t size_ = 0;
};

}  // namespace footfall::rankings
