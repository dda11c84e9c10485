#pragma once

#include "foundation/check.h"
#include "sets/number_set.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace footfall::sets {

/// Goes over the blocks of several sets at once, by their keys. The sets must not change meanwhile.
class BlockWalk {
public:
    BlockWalk(std::span<const NumberSet* const> sets, BlockRange range) {
        rest_.reserve(sets.size());
        for (const NumberSet* set : sets) {
            CHECK(set != nullptr, "a set that is null", sets.size());
            const std::span<const Block> all = set->blocks();
            const auto first = std::ranges::lower_bound(all, range.first, {}, &Block::key);
            const auto end = std::ranges::lower_bound(first, all.end(), range.end, {}, &Block::key);
            rest_.emplace_back(first, end);
        }
    }

    std::size_t sets() const { return rest_.size(); }

    /// The lowest key that any set has from here on.
    std::optional<Low> lowest() const {
        std::optional<Low> lowest;
        for (const std::span<const Block> rest : rest_) {
            if (!rest.empty() && (!lowest || rest.front().key() < *lowest)) {
                lowest = rest.front().key();
            }
        }
        return lowest;
    }

    /// The block of a set with this key, or null; those with lower keys are left behind.
    const Block* at(std::size_t set, Low key) {
        std::span<const Block>& rest = rest_[set];
        while (!rest.empty() && rest.front().key() < key) {
            rest = rest.subspan(1);
        }
        return !rest.empty() && rest.front().key() == key ? &rest.front() : nullptr;
    }

    /// Of every set the block with this key is left behind.
    void leave(Low key) {
        for (std::span<const Block>& rest : rest_) {
            if (!rest.empty() && rest.front().key() <= key) {
                rest = rest.subspan(1);
            }
        }
    }

private:
    std::vector<std::span<const Block>> rest_;
};

}  // namespace footfall::sets
