#pragma once

#include "foundation/result.h"
#include "sets/block.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::sets {

/// The members of sets are dense: what has them is numbered from 0 on, without large gaps.
using Number = std::uint32_t;

/// Blocks of numbers from `first` on, up to but without `end`, to count only these: what is counted
/// over several ranges adds up, so that whoever must not take long may do it in parts.
struct BlockRange {
    std::uint32_t first = 0;
    std::uint32_t end = block_numbers;
};

/// A set of numbers, in blocks of 65,536 after their high 16 bits (Chambi, Lemire, Kaser and Godin,
/// "Better bitmap performance with Roaring bitmaps", 2016): two bytes a member where few are, an
/// eighth of a byte a number where many are, and 24 to 40 bytes a block besides. Up to a sixteenth
/// more while it grows, until trim().
///
/// A plain value, not thread-safe; several threads may read one that nobody changes.
///
/// Cost: a binary search among the blocks, and what Block says; the first member of a block that is
/// not the last moves those behind it, 16 bytes each.
class NumberSet {
public:
    NumberSet() = default;

    /// Of numbers that rise, with no room to spare.
    static NumberSet of_sorted(std::span<const Number> numbers);

    /// False: it was there already.
    bool add(Number number);
    /// False: it was not there.
    bool remove(Number number);
    bool contains(Number number) const;

    std::uint64_t size() const { return size_; }

    bool empty() const { return size_ == 0; }

    /// Calls `take(Number)` for each member, in order. `take` must not change the set.
    template <class Take>
    void for_each(const Take& take) const {
        for (const Block& block : blocks_) {
            const Number high = Number{block.key()} << 16;
            block.for_each([&](Low low) { take(high | low); });
        }
    }

    /// Gives back room that it does not use.
    void trim();

    /// What it takes from the heap (memory_cost.h). Cost: a look at each block.
    std::size_t bytes() const;

    /// As it is stored: docs/formats/number_set.md. The same members give the same bytes, however
    /// they came to be.
    std::string written() const;

    /// `corrupt` when it is none. Takes at most about as much memory as `bytes` times 4,096 in the
    /// worst case (runs become bitmaps), at most 512 MiB.
    static Result<NumberSet> read(std::string_view bytes);

    /// By their high bits, in order, none of them empty. Until the next change.
    std::span<const Block> blocks() const { return blocks_; }

    /// Adds a block behind all others, which must not be empty.
    void append(Block block);

    /// The same members.
    friend bool operator==(const NumberSet& left, const NumberSet& right);

private:
    std::vector<Block>::iterator place_of(Low key);

    std::vector<Block> blocks_;
    std::uint64_t size_ = 0;
};

}  // namespace footfall::sets
