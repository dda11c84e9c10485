#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace footfall::guard {

/// A block of a Bloom filter: 32 bytes, in which a key has one bit in each of eight words, so that
/// a question is one miss of the cache (Putze, Sanders, Singler: "Cache-, Hash- and Space-Efficient
/// Bloom Filters", 2007). At 12 bits a key 1 in 150 of other keys is taken for one that was added;
/// at 6 bits 1 in 12.
struct alignas(32) BloomBlock {
    std::array<std::uint32_t, 8> words{};

    static constexpr std::size_t bits_a_key = 12;

    /// How many keys so many blocks are for.
    static constexpr std::size_t keys_of(std::size_t blocks) {
        return blocks * sizeof(BloomBlock) * 8 / bits_a_key;
    }

    /// The bits of a key, a well-mixed hash: by its lower half.
    static BloomBlock bits_of(std::uint64_t key) {
        // Odd numbers, one for each word: the upper five bits of the product choose its bit.
        constexpr std::array<std::uint32_t, 8> multipliers{
            0x9e3779b1,
            0x85ebca77,
            0xc2b2ae3d,
            0x27d4eb2f,
            0x165667b1,
            0xd3a2646d,
            0xfd7046c5,
            0xb55a4f09
        };
        BloomBlock bits;
        for (std::size_t word = 0; word < bits.words.size(); ++word) {
            bits.words[word] = 1U << (static_cast<std::uint32_t>(key) * multipliers[word] >> 27);
        }
        return bits;
    }

    /// Which of so many blocks (fewer than 2^32) a key is in: by its upper half.
    static std::size_t place_of(std::uint64_t key, std::size_t blocks) {
        return static_cast<std::size_t>((key >> 32) * blocks >> 32);
    }
};

}  // namespace footfall::guard
