#include "sets/expression.h"

#include "sets/block_walk.h"
#include "sets/words.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace footfall::sets {
namespace {

using Blocks = std::vector<const Block*>;

/// Of `members` those that `other` has as well; both in order.
void keep_common(std::vector<Low>& members, std::span<const Low> other) {
    // Where the other is so much longer, leaping is faster than going along.
    constexpr std::size_t leap_from = 16;
    std::size_t kept = 0;
    if (other.size() / leap_from > members.size()) {
        auto from = other.begin();
        for (const Low low : members) {
            from = std::lower_bound(from, other.end(), low);
            if (from == other.end()) {
                break;
            }
            members[kept] = low;
            kept += *from == low ? 1 : 0;
        }
    } else {
        // Without a branch that depends on who is smaller: nobody could foresee it.
        std::size_t mine = 0;
        std::size_t theirs = 0;
        while (mine < members.size() && theirs < other.size()) {
            const Low left = members[mine];
            const Low right = other[theirs];
            members[kept] = left;
            kept += left == right ? 1 : 0;
            mine += left <= right ? 1 : 0;
            theirs += right <= left ? 1 : 0;
        }
    }
    members.resize(kept);
}

/// What an expression has of one block: members, or a bitmap.
class BlockValue {
public:
    /// Of blocks that are there: `all` must not be empty, or `any` must not be.
    void set(const Blocks& all, const Blocks& any, const Blocks& none) {
        const auto smallest = std::ranges::min_element(all, {}, [](const Block* block) {
            return block->is_bitmap() ? block_numbers : block->size();
        });
        is_bitmap_ = smallest == all.end() || (*smallest)->is_bitmap();
        if (is_bitmap_) {
            set_bits(all, any, none);
        } else {
            set_members(**smallest, all, any, none);
        }
    }

    std::size_t size() const {
        return is_bitmap_ ? bit_counter().common(bits_.data(), bits_.data(), bits_.size())
                          : members_.size();
    }

    Block block(Low key) const {
        return is_bitmap_ ? Block{key, bits_, size()} : Block{key, members_};
    }

private:
    void set_members(
        const Block& smallest, const Blocks& all, const Blocks& any, const Blocks& none
    ) {
        members_.assign(smallest.members().begin(), smallest.members().end());
        for (const Block* block : all) {
            if (block == &smallest) {
                continue;
            }
            if (block->is_bitmap()) {
                std::erase_if(members_, [&](Low low) { return !block->contains(low); });
            } else {
                keep_common(members_, block->members());
            }
        }
        const auto is_in = [](const Blocks& blocks, Low low) {
            return std::ranges::any_of(blocks, [&](const Block* block) {
                return block->contains(low);
            });
        };
        if (!any.empty()) {
            std::erase_if(members_, [&](Low low) { return !is_in(any, low); });
        }
        std::erase_if(members_, [&](Low low) { return is_in(none, low); });
    }

    void set_bits(const Blocks& all, const Blocks& any, const Blocks& none) {
        bits_.fill(0);
        for (const Block* block : any) {
            block->add_to(bits_);
        }
        for (std::size_t at = 0; at < all.size(); ++at) {
            const auto other = all[at]->bits();
            if (at == 0 && any.empty()) {
                std::ranges::copy(other, bits_.begin());
                continue;
            }
            for (std::size_t low = 0; low < bits_.size(); ++low) {
                bits_[low] &= other[low];
            }
        }
        for (const Block* block : none) {
            remove(*block);
        }
    }

    void remove(const Block& block) {
        if (!block.is_bitmap()) {
            for (const Low low : block.members()) {
                bits_[low / 16] &= static_cast<Low>(~(1U << low % 16));
            }
            return;
        }
        const auto other = block.bits();
        for (std::size_t low = 0; low < bits_.size(); ++low) {
            bits_[low] &= static_cast<Low>(~other[low]);
        }
    }

    bool is_bitmap_ = false;
    std::vector<Low> members_;
    Bitmap bits_{};
};

/// Goes over the blocks in which an expression may have numbers.
class ExpressionWalk {
public:
    ExpressionWalk(const Expression& expression, BlockRange range)
        : all_(expression.all, range),
          any_(expression.any, range),
          none_(expression.none, range),
          has_any_(!expression.any.empty()) {}

    /// Finds the next, and answers its key.
    std::optional<Low> next() {
        BlockWalk& leading = all_.sets() > 0 ? all_ : any_;
        while (const std::optional<Low> key = leading.lowest()) {
            const bool in_all = gather(all_, *key, all) == all_.sets();
            const bool found = in_all && (gather(any_, *key, any) > 0 || !has_any_);
            if (found) {
                gather(none_, *key, none);
            }
            leading.leave(*key);
            if (found) {
                return key;
            }
        }
        return std::nullopt;
    }

    Blocks all;
    Blocks any;
    Blocks none;

private:
    static std::size_t gather(BlockWalk& walk, Low key, Blocks& blocks) {
        blocks.clear();
        for (std::size_t set = 0; set < walk.sets(); ++set) {
            if (const Block* block = walk.at(set, key)) {
                blocks.push_back(block);
            }
        }
        return blocks.size();
    }

    BlockWalk all_;
    BlockWalk any_;
    BlockWalk none_;
    bool has_any_;
};

}  // namespace

std::uint64_t count(const Expression& expression, BlockRange range) {
    ExpressionWalk walk{expression, range};
    BlockValue value;
    std::uint64_t numbers = 0;
    while (walk.next()) {
        const Blocks& all = walk.all;
        if (walk.any.empty() && walk.none.empty() && all.size() == 1) {
            numbers += all[0]->size();
        } else if (walk.any.empty() && walk.none.empty() && all.size() == 2 &&
                   all[0]->is_bitmap() && all[1]->is_bitmap()) {
            numbers +=
                bit_counter().common(all[0]->bits().data(), all[1]->bits().data(), bitmap_lows);
        } else {
            value.set(walk.all, walk.any, walk.none);
            numbers += value.size();
        }
    }
    return numbers;
}

NumberSet members(const Expression& expression, BlockRange range) {
    ExpressionWalk walk{expression, range};
    BlockValue value;
    NumberSet found;
    while (const std::optional<Low> key = walk.next()) {
        value.set(walk.all, walk.any, walk.none);
        if (value.size() > 0) {
            found.append(value.block(*key));
        }
    }
    found.trim();
    return found;
}

}  // namespace footfall::sets
