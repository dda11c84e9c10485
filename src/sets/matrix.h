#pragma once

#include "sets/number_set.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace footfall::sets {

inline constexpr std::size_t matrix_sets_max = 100;

/// Of each pair of sets how many numbers both have, and of each set how many it has. Those of other
/// numbers (other owners, other ranges of blocks) add up.
class Matrix {
public:
    explicit Matrix(std::size_t sets) : sets_(sets), common_(sets * sets) {}

    std::size_t sets() const { return sets_; }

    std::uint64_t size(std::size_t set) const { return common(set, set); }

    /// The same either way round.
    std::uint64_t common(std::size_t one, std::size_t other) const {
        return one <= other ? common_[one * sets_ + other] : common_[other * sets_ + one];
    }

    void add(std::size_t one, std::size_t other, std::uint64_t numbers) {
        common_[one <= other ? one * sets_ + other : other * sets_ + one] += numbers;
    }

    /// Of as many sets.
    Matrix& operator+=(const Matrix& other);

private:
    std::size_t sets_;
    std::vector<std::uint64_t> common_;  ///< Row by row; below the diagonal nothing.
};

/// At most matrix_sets_max sets, which are borrowed, must not be null, and may come more than once.
/// Block by block, each in one of two ways, whichever is estimated to be faster there: pairs of
/// bitmaps, of which those in common are counted, or for each number the row of sets that have it,
/// of which each pair is counted. Takes up to 1 MiB meanwhile.
///
/// Cost: of 100 sets of a million among 15 million numbers 0.3 s, among 150 million 2 s.
Matrix matrix(std::span<const NumberSet* const> sets, BlockRange range = {});

inline constexpr std::size_t combination_sets_max = 8;

/// For each combination of sets how many numbers are in exactly these: at index 5 those in the
/// first and the third and in no other, at 0 nothing. 2^sets of them, what an UpSet plot shows (Lex
/// and others, "UpSet: Visualization of Intersecting Sets", 2014). At most combination_sets_max
/// sets, as above; those of other numbers add up. One pass.
///
/// Cost: about 0.1 ms a block.
std::vector<std::uint64_t> combinations(
    std::span<const NumberSet* const> sets, BlockRange range = {}
);

}  // namespace footfall::sets
