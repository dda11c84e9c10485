#include "foundation/check.h"
#include "sets/block_walk.h"
#include "sets/matrix.h"

#include <array>
#include <cstring>
#include <optional>

namespace footfall::sets {
namespace {

/// A number's byte: bit n says that the n-th set has it.
using Bytes = std::vector<std::uint8_t>;

/// Each bit of a byte as the lowest of a byte of its own.
constexpr auto spread_bits = [] {
    std::array<std::uint64_t, 256> spread{};
    for (std::size_t byte = 0; byte < spread.size(); ++byte) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            spread[byte] |= (std::uint64_t{byte} >> bit & 1) << (bit * 8);
        }
    }
    return spread;
}();

void add_bits(std::span<const Low, bitmap_lows> bits, unsigned set, Bytes& bytes) {
    for (std::size_t at = 0; at < bits.size(); ++at) {
        for (std::size_t half = 0; half < 2; ++half) {
            std::uint8_t* const place = bytes.data() + at * 16 + half * 8;
            std::uint64_t eight = 0;
            std::memcpy(&eight, place, sizeof eight);
            eight |= spread_bits[bits[at] >> half * 8 & 0xff] << set;
            std::memcpy(place, &eight, sizeof eight);
        }
    }
}

/// How many numbers have each byte. Four rows of counters, as neighbours often have the same, and
/// one counter would wait for itself.
class ByteCounts {
public:
    void add(const Bytes& bytes) {
        for (std::size_t at = 0; at < bytes.size(); at += counts_.size()) {
            for (std::size_t row = 0; row < counts_.size(); ++row) {
                ++counts_[row][bytes[at + row]];
            }
        }
    }

    std::uint64_t of(std::size_t byte) const {
        std::uint64_t sum = 0;
        for (const auto& row : counts_) {
            sum += row[byte];
        }
        return sum;
    }

private:
    std::array<std::array<std::uint64_t, 256>, 4> counts_{};
};

}  // namespace

std::vector<std::uint64_t> combinations(std::span<const NumberSet* const> sets, BlockRange range) {
    CHECK(sets.size() <= combination_sets_max, "combinations of too many sets", sets.size());
    BlockWalk walk{sets, range};
    Bytes bytes(block_numbers);
    ByteCounts counts;
    while (const std::optional<Low> key = walk.lowest()) {
        std::ranges::fill(bytes, std::uint8_t{0});
        for (std::size_t set = 0; set < sets.size(); ++set) {
            const Block* block = walk.at(set, *key);
            if (block == nullptr) {
                continue;
            }
            if (block->is_bitmap()) {
                add_bits(block->bits(), static_cast<unsigned>(set), bytes);
                continue;
            }
            for (const Low low : block->members()) {
                bytes[low] = static_cast<std::uint8_t>(bytes[low] | 1U << set);
            }
        }
        walk.leave(*key);
        counts.add(bytes);
    }
    std::vector<std::uint64_t> found(std::size_t{1} << sets.size());
    for (std::size_t combination = 1; combination < found.size(); ++combination) {
        found[combination] = counts.of(combination);
    }
    return found;
}

}  // namespace footfall::sets
