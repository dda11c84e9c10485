#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace footfall::timeseries {

/// Many small pieces of memory in large blocks, each named by 32 bits: nothing is kept beside a
/// piece, and a name takes half of a pointer. What is given back is taken again for pieces of the
/// same size; blocks stay, so who has much that nobody has moves what is left elsewhere. Not
/// thread-safe.
class SmallPieces {
public:
    /// The name of a piece.
    using Ref = std::uint32_t;

    static constexpr std::size_t unit = 8;
    static constexpr std::size_t bytes_max = 2048;

    SmallPieces() = default;
    SmallPieces(const SmallPieces&) = delete;
    SmallPieces& operator=(const SmallPieces&) = delete;
    ~SmallPieces() = default;

    /// What a piece of so many bytes takes.
    static constexpr std::size_t bytes_of(std::size_t bytes) {
        return (bytes + unit - 1) / unit * unit;
    }

    /// A piece of so many bytes, above 0 and bytes_max at most, of any content; all of them are no
    /// more than 32 GiB.
    Ref take(std::size_t bytes);

    /// A piece of that size, which is nobody's from then on.
    void give_back(Ref piece, std::size_t bytes);

    /// What was given back and not taken again.
    std::size_t free_bytes() const { return free_bytes_; }

    /// What all blocks have.
    std::size_t held_bytes() const { return blocks_.size() * units_a_block * unit; }

    void swap(SmallPieces& other) noexcept;

    /// Aligned to `unit`; stays where it is.
    void* at(Ref piece) const {
        return blocks_[piece / units_a_block].get() + piece % units_a_block * unit;
    }

private:
    static constexpr std::size_t units_a_block = 8192;
    static constexpr Ref none = ~Ref{0};
    using Block = std::unique_ptr<std::byte[]>;

    std::vector<Block> blocks_;
    std::size_t used_ = units_a_block;  ///< Of the last block, in units.
    std::size_t free_bytes_ = 0;
    /// Of each size in units the first that is nobody's, in which the next is named.
    std::array<Ref, bytes_max / unit + 1> free_ = [] {
        std::array<Ref, bytes_max / unit + 1> all{};
        all.fill(none);
        return all;
    }();
};

}  // namespace footfall::timeseries
