#include "guard/key_filter.h"

#include <algorithm>

namespace footfall::guard {
namespace {

constexpr std::size_t bits_a_key = 12;
/// The first part is the largest one divided by this.
constexpr std::size_t first_part = 8;

/// Odd numbers, one for each word of a block: the upper five bits of the product choose its bit.
constexpr std::array<std::uint32_t, 8> multipliers{
    0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1, 0xd3a2646d, 0xfd7046c5, 0xb55a4f09
};

}  // namespace

bool KeyFilter::Part::is_full() const {
    return keys >= size * sizeof(Block) * 8 / bits_a_key;
}

void KeyFilter::set_bytes_max(std::size_t bytes_max) {
    bytes_max_ = bytes_max;
    while (bytes() > bytes_max_) {
        drop_oldest();
    }
}

void KeyFilter::add(std::uint64_t key, Instant time, Instant remote) {
    const bool begins = parts_.empty() || parts_.back().is_full() || parts_.back().first < remote;
    if (begins && !begin_part(time)) {
        dropped_through_ = std::max(dropped_through_, time);
        return;
    }
    Part& newest = parts_.back();
    ++newest.keys;
    newest.through = std::max(newest.through, time);
    Block& block = newest.blocks[block_of(key, newest)];
    const Block bits = bits_of(key);
    for (std::size_t word = 0; word < bits.words.size(); ++word) {
        block.words[word] |= bits.words[word];
    }
}

/// False: there is no memory for any.
bool KeyFilter::begin_part(Instant time) {
    const std::size_t most = bytes_max_ / sizeof(Block) / 2;
    const std::size_t wanted =
        parts_.empty() ? most / first_part : std::min(most, 2 * parts_.back().size);
    const std::size_t size = std::max<std::size_t>(wanted, 1);
    if (size > most) {
        return false;
    }
    while (parts_.size() == parts_max || bytes() + size * sizeof(Block) > bytes_max_) {
        drop_oldest();
    }
    parts_.push_back(
        {.blocks = std::make_unique<Block[]>(size), .size = size, .keys = 0, .first = time}
    );
    blocks_ += size;
    return true;
}

void KeyFilter::drop_oldest() {
    dropped_through_ = std::max(dropped_through_, parts_.front().through);
    blocks_ -= parts_.front().size;
    parts_.pop_front();
}

std::size_t KeyFilter::recount() const {
    std::size_t bytes = 0;
    for (const Part& part : parts_) {
        bytes += part.size * sizeof(Block);
    }
    return bytes;
}

bool KeyFilter::may_contain(std::uint64_t key, Instant after) const {
    const Block bits = bits_of(key);
    return std::ranges::any_of(parts_, [&](const Part& part) {
        if (part.through <= after) {
            return false;
        }
        const Block& block = part.blocks[block_of(key, part)];
        std::uint32_t missing = 0;
        for (std::size_t word = 0; word < bits.words.size(); ++word) {
            missing |= bits.words[word] & ~block.words[word];
        }
        return missing == 0;
    });
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
std::size_t KeyFilter::block_of(std::uint64_t key, const Part& part) {
    return static_cast<std::size_t>((key >> 32) * part.size >> 32);
}

}  // namespace footfall::guard
