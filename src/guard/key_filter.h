#pragma once

#include "foundation/clock.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace footfall::guard {

/// Which keys were forgotten: never says no of one that was, and seldom (1 in 150) yes of another,
/// for 12 bits each. When it is full, or begins before what matters, the older half goes, and it
/// says up to which time.
///
/// Two Bloom filters in blocks of 32 bytes, eight bits of a block a key (Putze, Sanders, Singler:
/// "Cache-, Hash- and Space-Efficient Bloom Filters", 2007), so a question is one miss of the cache
/// for each. Keys are keyed hashes of 64 bits.
///
/// A plain value that can be moved; belongs to one lane and is used under its mutex. Takes nothing
/// of the heap before the first key. Cost: 20 ns in the cache.
class KeyFilter {
public:
    /// Takes at most so many bytes; below 64 it knows nothing, and says so.
    explicit KeyFilter(std::size_t bytes_max);

    /// Adds a key, of which the highest time is this. Times before `remote` matter to few: a half
    /// that begins there is not added to.
    void add(std::uint64_t key, Instant time, Instant remote = Instant::min());

    /// Whether a time of this key that is later than `after` may have been added, and not dropped.
    bool may_contain(std::uint64_t key, Instant after = Instant::min()) const;

    /// No key that it was told of and has dropped since is of a later time. Instant::min(): none.
    Instant dropped_through() const { return dropped_through_; }

    std::size_t bytes() const;

private:
    struct alignas(32) Block {
        std::array<std::uint32_t, 8> words{};
    };

    /// Of one age.
    struct Half {
        std::unique_ptr<Block[]> blocks;  ///< Null: it has no keys.
        std::size_t keys = 0;
        Instant first = Instant::min();    ///< The time that came first.
        Instant through = Instant::min();  ///< The latest time of its keys.
    };

    static Block bits_of(std::uint64_t key);
    std::size_t block_of(std::uint64_t key) const;

    std::size_t blocks_;  ///< Of each half.
    Half newer_;
    Half older_;
    Instant dropped_through_ = Instant::min();
};

}  // namespace footfall::guard
