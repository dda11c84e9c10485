#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

namespace footfall::sets {

/// A number without its block: its low 16 bits.
using Low = std::uint16_t;

inline constexpr std::size_t block_numbers = 65'536;

/// A bit for each number of a block, in 16 bits each, lowest first: as bytes, and so to whatever
/// reads many at once, it is one row of 65,536 bits.
inline constexpr std::size_t bitmap_lows = block_numbers / 16;
using Bitmap = std::array<Low, bitmap_lows>;

/// Calls `take(Low)` for each bit that is set, in order.
template <class Take>
void for_each_bit(std::span<const Low, bitmap_lows> bits, const Take& take) {
    static_assert(std::endian::native == std::endian::little, "64 bits are read from four of 16");
    for (std::size_t at = 0; at < bits.size(); at += sizeof(std::uint64_t) / sizeof(Low)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bits.data() + at, sizeof word);
        for (; word != 0; word &= word - 1) {
            take(static_cast<Low>(at * 16 + static_cast<unsigned>(std::countr_zero(word))));
        }
    }
}

/// The members of a set among 65,536 numbers: in order while they are few, a bitmap when there are
/// more than `array_max`. A plain value of 16 bytes, not thread-safe, never empty in a set.
///
/// Cost: add and remove 10 ns in a bitmap, up to 150 ns in an array (its tail moves), 10 ns at its
/// end; contains 2 ns in a bitmap, 15 ns in an array.
class Block {
public:
    /// From there on a bitmap, of 8 KiB, is no larger.
    static constexpr std::size_t array_max = 4'096;
    /// A bitmap of fewer becomes an array. The distance keeps a set that goes up and down around
    /// one number from being built anew with each.
    static constexpr std::size_t bitmap_min = array_max - 128;

    explicit Block(Low key) : key_(key) {}

    /// Of members in order, without repeats.
    Block(Low key, std::span<const Low> members);
    /// Of a bitmap with so many members.
    Block(Low key, std::span<const Low, bitmap_lows> bits, std::size_t size);

    Block(const Block& other);
    Block& operator=(const Block& other);
    Block(Block&&) noexcept = default;
    Block& operator=(Block&&) noexcept = default;
    ~Block() = default;

    /// The high 16 bits of its numbers.
    Low key() const { return key_; }

    std::size_t size() const { return size_; }

    bool is_bitmap() const { return room_ == bitmap_room; }

    /// Of an array: its members, in order. Until the next change.
    std::span<const Low> members() const { return {lows_.get(), size_}; }

    /// Of a bitmap. Until the next change.
    std::span<const Low, bitmap_lows> bits() const {
        return std::span<const Low, bitmap_lows>{lows_.get(), bitmap_lows};
    }

    bool contains(Low low) const;
    /// False: it was there already.
    bool add(Low low);
    /// False: it was not there.
    bool remove(Low low);

    /// Adds its members to `bits`.
    void add_to(std::span<Low, bitmap_lows> bits) const;

    template <class Take>
    void for_each(const Take& take) const {
        if (is_bitmap()) {
            for_each_bit(bits(), take);
            return;
        }
        for (const Low low : members()) {
            take(low);
        }
    }

    /// Gives back room that an array does not use.
    void trim();

    /// What it takes from the heap, besides itself.
    std::size_t bytes() const;

private:
    /// An array never has so much room.
    static constexpr Low bitmap_room = 0xffff;

    void become_bitmap();
    void become_array();
    void set_room(std::size_t room);

    std::unique_ptr<Low[]> lows_;
    std::uint32_t size_ = 0;
    Low key_;
    Low room_ = 0;  ///< For so many members of an array; or bitmap_room.
};

}  // namespace footfall::sets
