#include "guard/key_filter.h"

#include <algorithm>

namespace footfall::guard {
namespace {

/// The first part is the largest one divided by this.
constexpr std::size_t first_part = 8;
/// Of a key, while there is memory.
constexpr std::size_t ample_bits = 20;
/// Of a key, before the oldest part goes. One key in 12 is then taken for a known one, but once a
/// part has gone, all are.
constexpr std::size_t least_bits = 6;

}  // namespace

bool KeyFilter::Part::has_less_than(std::size_t bits) const {
    return (keys + 1) * bits > size * sizeof(Block) * 8;
}

void KeyFilter::set_bytes_max(std::size_t bytes_max) {
    bytes_max_ = bytes_max;
    while (bytes() > bytes_max_) {
        drop_oldest();
    }
}

void KeyFilter::add(std::uint64_t key, Instant time, Instant remote) {
    const bool begins = parts_.empty() || parts_.back().first < remote ||
                        parts_.back().has_less_than(may_add_part() ? ample_bits : least_bits);
    if (begins && !begin_part(time)) {
        dropped_through_ = std::max(dropped_through_, time);
        return;
    }
    Part& newest = parts_.back();
    ++newest.keys;
    newest.through = std::max(newest.through, time);
    Block& block = newest.blocks[Block::place_of(key, newest.size)];
    const Block bits = Block::bits_of(key);
    for (std::size_t word = 0; word < bits.words.size(); ++word) {
        block.words[word] |= bits.words[word];
    }
}

/// Of blocks.
std::size_t KeyFilter::size_of_next() const {
    const std::size_t most = bytes_max_ / sizeof(Block) / 2;
    const std::size_t wanted =
        parts_.empty() ? most / first_part : std::min(most, 2 * parts_.back().size);
    return std::max<std::size_t>(wanted, 1);
}

/// Whether nothing would have to go for it.
bool KeyFilter::may_add_part() const {
    return parts_.size() < parts_max && bytes() + size_of_next() * sizeof(Block) <= bytes_max_;
}

/// False: there is no memory for any.
bool KeyFilter::begin_part(Instant time) {
    const std::size_t size = size_of_next();
    if (size > bytes_max_ / sizeof(Block) / 2) {
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
    const Block bits = Block::bits_of(key);
    return std::ranges::any_of(parts_, [&](const Part& part) {
        if (part.through <= after) {
            return false;
        }
        const Block& block = part.blocks[Block::place_of(key, part.size)];
        std::uint32_t missing = 0;
        for (std::size_t word = 0; word < bits.words.size(); ++word) {
            missing |= bits.words[word] & ~block.words[word];
        }
        return missing == 0;
    });
}

}  // namespace footfall::guard
