#include "sets/matrix.h"

#include "foundation/check.h"
#include "sets/block_walk.h"
#include "sets/words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

namespace footfall::sets {
namespace {

// About how long steps take, in ns: only which way is taken depends on it.
constexpr double member_to_row_ns = 6;
constexpr double rows_ns = 42'000;  ///< A look at each of a block.
constexpr double pair_in_row_ns = 0.75;
constexpr double member_to_bitmap_ns = 0.5;
constexpr double bitmap_ns = 100;
constexpr double probe_ns = 0.7;

/// What sets have of one block, and who of them has any.
struct Present {
    std::size_t set = 0;
    const Block* block = nullptr;
    const Low* bits = nullptr;
};

class MatrixOfBlocks {
public:
    MatrixOfBlocks(std::span<const NumberSet* const> sets, BlockRange range)
        : result_(sets.size()), walk_(sets, range) {}

    Matrix count() && {
        while (const std::optional<Low> key = walk_.lowest()) {
            present_.clear();
            for (std::size_t set = 0; set < walk_.sets(); ++set) {
                if (const Block* block = walk_.at(set, *key)) {
                    present_.push_back({.set = set, .block = block});
                    result_.add(set, set, block->size());
                }
            }
            walk_.leave(*key);
            if (present_.size() > 1) {
                count_block();
            }
        }
        return std::move(result_);
    }

private:
    /// Numbers whose rows are held at once: 128 KiB.
    static constexpr std::size_t part_numbers = 8'192;
    /// Of each bitmap so much is looked at at once: that of 100 sets is 200 KiB.
    static constexpr std::size_t tile_lows = 1'024;

    /// Bit n: the n-th of those present has the number.
    using Row = std::array<std::uint64_t, 2>;
    static_assert(matrix_sets_max <= 128);

    void count_block() {
        std::ranges::sort(present_, std::greater{}, [](const Present& each) {
            return each.block->size();
        });
        double members = 0;
        double squares = 0;
        double bitmaps_cost = 0;
        for (std::size_t at = 0; at < present_.size(); ++at) {
            const auto size = static_cast<double>(present_[at].block->size());
            members += size;
            squares += size * size;
            // Those before it are not smaller: it is looked up in them.
            const auto pairs = static_cast<double>(at);
            bitmaps_cost += pairs * std::min(size * probe_ns, bit_counter().block_ns);
            if (!present_[at].block->is_bitmap()) {
                bitmaps_cost += bitmap_ns + size * member_to_bitmap_ns;
            }
        }
        // So many pairs there are where sets have nothing to do with each other.
        const double pairs = (members * members - squares) / (2 * block_numbers);
        const double left = bitmaps_cost - members * member_to_row_ns - rows_ns;
        if (pairs * pair_in_row_ns >= left || !count_rows(left / pair_in_row_ns)) {
            count_bitmaps();
        }
    }

    /// False when there are more pairs in rows than `pairs_max`: then nothing is counted.
    bool count_rows(double pairs_max) {
        const std::size_t sets = present_.size();
        counts_.assign(sets * sets, 0);
        rows_.resize(part_numbers);
        done_.assign(sets, 0);
        std::uint64_t pairs = 0;
        for (std::size_t base = 0; base < block_numbers; base += part_numbers) {
            std::ranges::fill(rows_, Row{});
            for (std::size_t at = 0; at < sets; ++at) {
                fill_rows(at, base);
            }
            for (const Row& row : rows_) {
                pairs += count_row(row);
            }
            if (static_cast<double>(pairs) > pairs_max) {
                return false;
            }
        }
        for (std::size_t one = 0; one < sets; ++one) {
            for (std::size_t other = one + 1; other < sets; ++other) {
                result_.add(present_[one].set, present_[other].set, counts_[one * sets + other]);
            }
        }
        return true;
    }

    /// Of the numbers from `base` on, part_numbers of them.
    void fill_rows(std::size_t at, std::size_t base) {
        const Block& block = *present_[at].block;
        const std::size_t word = at / 64;
        const std::uint64_t bit = std::uint64_t{1} << at % 64;
        if (block.is_bitmap()) {
            const auto bits = block.bits().subspan(base / 16, part_numbers / 16);
            for (std::size_t low = 0; low < bits.size(); ++low) {
                for (unsigned some = bits[low]; some != 0; some &= some - 1) {
                    const auto place = static_cast<unsigned>(std::countr_zero(some));
                    rows_[low * 16 + place][word] |= bit;
                }
            }
            return;
        }
        const std::span<const Low> members = block.members();
        std::size_t next = done_[at];
        for (; next < members.size() && members[next] < base + part_numbers; ++next) {
            rows_[members[next] - base][word] |= bit;
        }
        done_[at] = next;
    }

    /// Counts each pair of a row, and answers how many there are.
    std::uint64_t count_row(Row row) {
        if (row[1] == 0 && (row[0] & (row[0] - 1)) == 0) {
            return 0;
        }
        std::array<std::uint8_t, matrix_sets_max> has;  // filled as far as it is read
        std::size_t sets = 0;
        for (std::size_t word = 0; word < row.size(); ++word) {
            for (std::uint64_t bits = row[word]; bits != 0; bits &= bits - 1) {
                has[sets++] = static_cast<std::uint8_t>(
                    word * 64 + static_cast<unsigned>(std::countr_zero(bits))
                );
            }
        }
        for (std::size_t one = 0; one < sets; ++one) {
            std::uint32_t* const counts = counts_.data() + has[one] * present_.size();
            for (std::size_t other = one + 1; other < sets; ++other) {
                ++counts[has[other]];
            }
        }
        return sets * (sets - 1) / 2;
    }

    void count_bitmaps() {
        expand_arrays();
        // Those with few members stand at the end.
        const auto few = std::ranges::find_if(present_, [](const Present& each) {
            return static_cast<double>(each.block->size()) * probe_ns < bit_counter().block_ns;
        });
        const auto many = static_cast<std::size_t>(few - present_.begin());
        for (std::size_t tile = 0; tile < bitmap_lows; tile += tile_lows) {
            for (std::size_t one = 0; one < many; ++one) {
                for (std::size_t other = one + 1; other < many; ++other) {
                    const std::uint32_t common = bit_counter().common(
                        present_[one].bits + tile, present_[other].bits + tile, tile_lows
                    );
                    result_.add(present_[one].set, present_[other].set, common);
                }
            }
        }
        for (std::size_t one = many; one < present_.size(); ++one) {
            for (std::size_t other = 0; other < one; ++other) {
                result_.add(
                    present_[one].set,
                    present_[other].set,
                    probed(*present_[one].block, present_[other].bits)
                );
            }
        }
    }

    void expand_arrays() {
        const auto arrays =
            static_cast<std::size_t>(std::ranges::count_if(present_, [](const Present& each) {
                return !each.block->is_bitmap();
            }));
        bitmaps_.resize(std::max(bitmaps_.size(), arrays));
        std::size_t next = 0;
        for (Present& each : present_) {
            if (each.block->is_bitmap()) {
                each.bits = each.block->bits().data();
                continue;
            }
            Bitmap& bits = bitmaps_[next++];
            bits.fill(0);
            each.block->add_to(bits);
            each.bits = bits.data();
        }
    }

    /// How many of an array's members a bitmap has.
    static std::uint64_t probed(const Block& block, const Low* bits) {
        std::uint64_t found = 0;
        for (const Low low : block.members()) {
            found += bits[low / 16] >> low % 16 & 1U;
        }
        return found;
    }

    Matrix result_;
    BlockWalk walk_;
    std::vector<Present> present_;       ///< Of this block, the largest first.
    std::vector<Bitmap> bitmaps_;        ///< Of those present that are arrays.
    std::vector<Row> rows_;              ///< Of some numbers of this block.
    std::vector<std::size_t> done_;      ///< How many members of each array are in rows.
    std::vector<std::uint32_t> counts_;  ///< Of this block, each pair of those present.
};

}  // namespace

Matrix& Matrix::operator+=(const Matrix& other) {
    CHECK(other.sets_ == sets_, "matrices of other sets", sets_, other.sets_);
    std::ranges::transform(common_, other.common_, common_.begin(), std::plus{});
    return *this;
}

Matrix matrix(std::span<const NumberSet* const> sets, BlockRange range) {
    CHECK(sets.size() <= matrix_sets_max, "a matrix of too many sets", sets.size());
    return MatrixOfBlocks{sets, range}.count();
}

}  // namespace footfall::sets
