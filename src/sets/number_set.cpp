#include "sets/number_set.h"

#include "foundation/check.h"
#include "foundation/memory_cost.h"

#include <algorithm>
#include <utility>

namespace footfall::sets {
namespace {

Low high_of(Number number) {
    return static_cast<Low>(number >> 16);
}

Low low_of(Number number) {
    return static_cast<Low>(number);
}

bool same(const Block& left, const Block& right) {
    if (left.key() != right.key() || left.size() != right.size()) {
        return false;
    }
    if (left.is_bitmap() && right.is_bitmap()) {
        return std::ranges::equal(left.bits(), right.bits());
    }
    if (!left.is_bitmap() && !right.is_bitmap()) {
        return std::ranges::equal(left.members(), right.members());
    }
    const Block& bits = left.is_bitmap() ? left : right;
    const Block& members = left.is_bitmap() ? right : left;
    return std::ranges::all_of(members.members(), [&](Low low) { return bits.contains(low); });
}

}  // namespace

NumberSet NumberSet::of_sorted(std::span<const Number> numbers) {
    NumberSet set;
    std::vector<Low> lows;
    while (!numbers.empty()) {
        const Low key = high_of(numbers.front());
        lows.clear();
        for (const Number number : numbers) {
            if (high_of(number) != key) {
                break;
            }
            CHECK(
                lows.empty() || low_of(number) > lows.back(),
                "numbers of a set that do not rise",
                number
            );
            lows.push_back(low_of(number));
        }
        set.append(Block{key, lows});
        numbers = numbers.subspan(lows.size());
    }
    set.blocks_.shrink_to_fit();
    return set;
}

/// The first block with this key or a higher one.
std::vector<Block>::iterator NumberSet::place_of(Low key) {
    if (blocks_.empty() || blocks_.back().key() < key) {
        return blocks_.end();
    }
    return std::ranges::lower_bound(blocks_, key, {}, &Block::key);
}

bool NumberSet::add(Number number) {
    const Low key = high_of(number);
    auto block = place_of(key);
    if (block == blocks_.end() || block->key() != key) {
        block = blocks_.emplace(block, key);
    }
    const bool added = block->add(low_of(number));
    size_ += added ? 1 : 0;
    return added;
}

bool NumberSet::remove(Number number) {
    const Low key = high_of(number);
    const auto block = place_of(key);
    if (block == blocks_.end() || block->key() != key || !block->remove(low_of(number))) {
        return false;
    }
    --size_;
    if (block->size() == 0) {
        blocks_.erase(block);
    }
    return true;
}

bool NumberSet::contains(Number number) const {
    const auto block = std::ranges::lower_bound(blocks_, high_of(number), {}, &Block::key);
    return block != blocks_.end() && block->key() == high_of(number) &&
           block->contains(low_of(number));
}

void NumberSet::trim() {
    for (Block& block : blocks_) {
        block.trim();
    }
    blocks_.shrink_to_fit();
}

std::size_t NumberSet::bytes() const {
    std::size_t bytes = allocated_bytes(blocks_.capacity() * sizeof(Block));
    for (const Block& block : blocks_) {
        bytes += block.bytes();
    }
    return bytes;
}

void NumberSet::append(Block block) {
    CHECK(block.size() > 0, "an empty block in a set", block.key());
    CHECK(
        blocks_.empty() || block.key() > blocks_.back().key(),
        "blocks of a set that do not rise",
        block.key()
    );
    size_ += block.size();
    blocks_.push_back(std::move(block));
}

bool operator==(const NumberSet& left, const NumberSet& right) {
    return left.size_ == right.size_ && std::ranges::equal(left.blocks_, right.blocks_, same);
}

}  // namespace footfall::sets
