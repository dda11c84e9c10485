#include "sets/block.h"

#include "foundation/check.h"
#include "foundation/memory_cost.h"

#include <algorithm>

namespace footfall::sets {
namespace {

Low bit_of(Low low) {
    return static_cast<Low>(1U << low % 16);
}

}  // namespace

Block::Block(Low key, std::span<const Low> members) : key_(key) {
    if (members.size() <= array_max) {
        set_room(members.size());
        std::ranges::copy(members, lows_.get());
    } else {
        lows_ = std::make_unique<Low[]>(bitmap_lows);
        room_ = bitmap_room;
        for (const Low low : members) {
            lows_[low / 16] |= bit_of(low);
        }
    }
    size_ = static_cast<std::uint32_t>(members.size());
}

Block::Block(Low key, std::span<const Low, bitmap_lows> bits, std::size_t size) : key_(key) {
    if (size > array_max) {
        lows_ = std::make_unique_for_overwrite<Low[]>(bitmap_lows);
        room_ = bitmap_room;
        std::ranges::copy(bits, lows_.get());
    } else {
        set_room(size);
        Low* out = lows_.get();
        for_each_bit(bits, [&](Low low) { *out++ = low; });
    }
    size_ = static_cast<std::uint32_t>(size);
}

Block::Block(const Block& other) : size_(other.size_), key_(other.key_) {
    const std::size_t lows = other.is_bitmap() ? bitmap_lows : other.size_;
    lows_ = std::make_unique_for_overwrite<Low[]>(lows);
    room_ = other.is_bitmap() ? bitmap_room : static_cast<Low>(other.size_);
    std::copy_n(other.lows_.get(), lows, lows_.get());
}

Block& Block::operator=(const Block& other) {
    return *this = Block{other};
}

bool Block::contains(Low low) const {
    if (is_bitmap()) {
        return (lows_[low / 16] & bit_of(low)) != 0;
    }
    return std::ranges::binary_search(members(), low);
}

bool Block::add(Low low) {
    if (!is_bitmap()) {
        const bool behind = size_ == 0 || low > lows_[size_ - 1];
        Low* const end = lows_.get() + size_;
        const auto at = behind ? size_ : std::lower_bound(lows_.get(), end, low) - lows_.get();
        if (!behind && lows_[static_cast<std::size_t>(at)] == low) {
            return false;
        }
        if (size_ < array_max) {
            if (size_ == room_) {
                set_room(size_ + size_ / 16 + 1);
            }
            Low* const place = lows_.get() + at;
            std::copy_backward(place, lows_.get() + size_, lows_.get() + size_ + 1);
            *place = low;
            ++size_;
            return true;
        }
        become_bitmap();
    }
    Low& bits = lows_[low / 16];
    if ((bits & bit_of(low)) != 0) {
        return false;
    }
    bits |= bit_of(low);
    ++size_;
    return true;
}

bool Block::remove(Low low) {
    if (is_bitmap()) {
        Low& bits = lows_[low / 16];
        if ((bits & bit_of(low)) == 0) {
            return false;
        }
        bits = static_cast<Low>(bits & ~bit_of(low));
        --size_;
        if (size_ < bitmap_min) {
            become_array();
        }
        return true;
    }
    Low* const end = lows_.get() + size_;
    Low* const place = std::lower_bound(lows_.get(), end, low);
    if (place == end || *place != low) {
        return false;
    }
    std::copy(place + 1, end, place);
    --size_;
    // Half of the room, and not a sixteenth: whoever goes up and down does not move each time.
    if (size_ < room_ / 2U) {
        set_room(size_ + size_ / 16 + 1);
    }
    return true;
}

void Block::add_to(std::span<Low, bitmap_lows> bits) const {
    if (is_bitmap()) {
        for (std::size_t at = 0; at < bitmap_lows; ++at) {
            bits[at] |= lows_[at];
        }
        return;
    }
    for (const Low low : members()) {
        bits[low / 16] |= bit_of(low);
    }
}

void Block::trim() {
    if (!is_bitmap()) {
        set_room(size_);
    } else if (size_ <= array_max) {
        become_array();
    }
}

std::size_t Block::bytes() const {
    return allocated_bytes((is_bitmap() ? bitmap_lows : room_) * sizeof(Low));
}

void Block::become_bitmap() {
    auto bits = std::make_unique<Low[]>(bitmap_lows);
    for (const Low low : members()) {
        bits[low / 16] |= bit_of(low);
    }
    lows_ = std::move(bits);
    room_ = bitmap_room;
}

void Block::become_array() {
    *this = Block{key_, bits(), size_};
}

/// As much as the heap gives for so many members.
void Block::set_room(std::size_t room) {
    CHECK(room >= size_, "an array that its members do not fit in", room, size_);
    room = std::min(usable_bytes(room * sizeof(Low)) / sizeof(Low), array_max);
    if (room == room_) {
        return;
    }
    auto lows = std::make_unique_for_overwrite<Low[]>(room);
    std::copy_n(lows_.get(), size_, lows.get());
    lows_ = std::move(lows);
    room_ = static_cast<Low>(room);
}

}  // namespace footfall::sets
