#include "guard/key_filter.h"

#include <algorithm>
#include <utility>

namespace footfall::guard {
namespace {

constexpr std::size_t bits_a_key = 12;

/// Odd numbers, one for each word of a block: the upper five bits of the product choose its bit.
constexpr std::array<std::uint32_t, 8> multipliers{
    0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1, 0xd3a2646d, 0xfd7046c5, 0xb55a4f09
};

}  // namespace

KeyFilter::KeyFilter(std::size_t bytes_max) : blocks_{bytes_max / 2 / sizeof(Block)} {}

void KeyFilter::add(std::uint64_t key, Instant time, Instant remote) {
    if (blocks_ == 0) {
        dropped_through_ = std::max(dropped_through_, time);
        return;
    }
    const bool full = newer_.keys >= blocks_ * sizeof(Block) * 8 / bits_a_key;
    if (full || (newer_.keys > 0 && newer_.first < remote)) {
        dropped_through_ = std::max(dropped_through_, older_.through);
        older_ = std::exchange(newer_, {});
    }
    if (!newer_.blocks) {
        newer_.blocks = std::make_unique<Block[]>(blocks_);
        newer_.first = time;
    }
    ++newer_.keys;
    newer_.through = std::max(newer_.through, time);
    Block& block = newer_.blocks[block_of(key)];
    const Block bits = bits_of(key);
    for (std::size_t word = 0; word < bits.words.size(); ++word) {
        block.words[word] |= bits.words[word];
    }
}

bool KeyFilter::may_contain(std::uint64_t key, Instant after) const {
    const Block bits = bits_of(key);
    const auto has = [&](const Half& half) {
        if (!half.blocks || half.through <= after) {
            return false;
        }
        const Block& block = half.blocks[block_of(key)];
        std::uint32_t missing = 0;
        for (std::size_t word = 0; word < bits.words.size(); ++word) {
            missing |= bits.words[word] & ~block.words[word];
        }
        return missing == 0;
    };
    return has(newer_) || has(older_);
}

std::size_t KeyFilter::bytes() const {
    return ((newer_.blocks ? 1 : 0) + (older_.blocks ? 1 : 0)) * blocks_ * sizeof(Block);
}

/// By the lower half of the key.
KeyFilter::Block KeyFilter::bits_of(std::uint64_t key) {
    Block bits;
    for (std::size_t word = 0; word < bits.words.size(); ++word) {
        bits.words[word] = 1U << (static_cast<std::uint32_t>(key) * multipliers[word] >> 27);
    }
    return bits;
}

/// By the upper half.
std::size_t KeyFilter::block_of(std::uint64_t key) const {
    return static_cast<std::size_t>((key >> 32) * blocks_ >> 32);
}

}  // namespace footfall::guard
